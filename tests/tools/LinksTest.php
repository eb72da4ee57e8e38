<?php

declare(strict_types=1);

namespace Weft\Tools\Tests;

use FilesystemIterator;
use PHPUnit\Framework\TestCase;
use RecursiveCallbackFilterIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/**
 * Whatever names a page, or a part of one, names one that is there: links in pages, and `docs/…` in sources, messages and tests.
 */
final class LinksTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';
    private const NOT_OURS = ['.git', 'var', 'vendor', 'node_modules'];
    /** The history names pages as they were called. */
    private const OF_THE_PAST = ['CHANGELOG.md'];

    public function testEveryLinkOfAPageLeadsToSomething(): void
    {
        $broken = [];
        $links = 0;
        foreach (self::files() as $path => $text) {
            if (!str_ends_with($path, '.md')) {
                continue;
            }
            preg_match_all('/\]\(([^)\s]+)\)/', self::withoutCode($text), $matches);
            foreach ($matches[1] as $link) {
                if (preg_match('/^[a-z]+:/', $link) === 1) {
                    continue;
                }
                $links++;
                [$to, $anchor] = explode('#', $link, 2) + ['', ''];
                $target = $to === '' ? $path : self::beside($path, $to);
                array_push($broken, ...self::missing($path, $link, $target, $anchor));
            }
        }

        self::assertSame([], $broken);
        self::assertGreaterThan(50, $links, 'Links were found at all');
    }

    public function testEveryPageThatASourceNamesIsThere(): void
    {
        $broken = [];
        $named = 0;
        foreach (self::files() as $path => $text) {
            if (in_array(basename($path), self::OF_THE_PAST, true) || $path === 'tests/tools/' . basename(__FILE__)) {
                continue;
            }
            preg_match_all('~(?<![\w/.-])docs/([\w/-]+\.(?:md|svg))(?:#([\w-]+))?(?:, \\\\?"([^"\\\\]+)\\\\?")?~', $text, $matches, PREG_SET_ORDER);
            foreach ($matches as $match) {
                $named++;
                // a comment may break the line within a title
                $title = (string) preg_replace('~\s*\n\s*(?:\*|//|\#)?\s*~', ' ', $match[3] ?? '');
                $anchor = $title === '' ? ($match[2] ?? '') : self::anchor($title);
                array_push($broken, ...self::missing($path, $match[0], "docs/$match[1]", $anchor));
            }
        }

        self::assertSame([], $broken);
        self::assertGreaterThan(20, $named, 'Pages were found at all');
    }

    public function testTheTableOfContentsNamesEveryPage(): void
    {
        $contents = (string) file_get_contents(self::ROOT . '/docs/README.md');
        $pages = array_filter(array_keys(iterator_to_array(self::files())), static fn (string $path): bool => str_starts_with($path, 'docs/') && str_ends_with($path, '.md'));
        foreach (array_diff($pages, ['docs/README.md']) as $page) {
            self::assertStringContainsString('](' . substr($page, strlen('docs/')) . ')', $contents, "docs/README.md does not name $page");
        }
    }

    /**
     * @return list<string>
     */
    private static function missing(string $path, string $link, string $target, string $anchor): array
    {
        if (!file_exists(self::ROOT . "/$target")) {
            return ["$path names $link: there is no $target"];
        }
        if ($anchor === '' || !str_ends_with($target, '.md')) {
            return [];
        }
        preg_match_all('/^#+ (.+)$/m', self::withoutCode((string) file_get_contents(self::ROOT . "/$target")), $headings);

        return in_array($anchor, array_map(self::anchor(...), $headings[1]), true) ? [] : ["$path names $link: $target has no heading of that name"];
    }

    /** As forges make it of a heading. */
    private static function anchor(string $heading): string
    {
        return str_replace(' ', '-', (string) preg_replace('/[^\w -]/u', '', mb_strtolower($heading)));
    }

    private static function withoutCode(string $text): string
    {
        return (string) preg_replace('/^```.*?^```$/ms', '', $text);
    }

    private static function beside(string $path, string $link): string
    {
        $parts = [];
        foreach (explode('/', dirname($path) . "/$link") as $part) {
            if ($part === '..') {
                array_pop($parts);
            } elseif ($part !== '.') {
                $parts[] = $part;
            }
        }

        return implode('/', $parts);
    }

    /**
     * @return iterable<string, string> the texts of the checkout, by their paths
     */
    private static function files(): iterable
    {
        $root = (string) realpath(self::ROOT);
        $ours = new RecursiveCallbackFilterIterator(
            new RecursiveDirectoryIterator($root, FilesystemIterator::SKIP_DOTS),
            static fn (SplFileInfo $file): bool => !$file->isLink() && !in_array($file->getFilename(), self::NOT_OURS, true) && ($file->isDir() || $file->getSize() < 300 * 1024),
        );
        foreach (new RecursiveIteratorIterator($ours) as $file) {
            assert($file instanceof SplFileInfo);
            if (is_readable($file->getPathname())) {
                yield substr($file->getPathname(), strlen($root) + 1) => (string) file_get_contents($file->getPathname());
            }
        }
    }
}
