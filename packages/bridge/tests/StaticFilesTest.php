<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bridge\StaticFiles;

final class StaticFilesTest extends TestCase
{
    private const PUBLIC = __DIR__ . '/fixtures/public';

    /**
     * @return iterable<string, array{string, string|null}>
     */
    public static function uris(): iterable
    {
        yield 'a file' => ['/style.css', '/style.css'];
        yield 'a file with a query' => ['/style.css?v=1', '/style.css'];
        yield 'a file in a directory' => ['/sub/page.html', '/sub/page.html'];
        yield 'an encoded name' => ['/with%20space.txt', '/with space.txt'];
        yield 'no such file' => ['/none.css', null];
        yield 'a directory' => ['/sub', null];
        yield 'the root' => ['/', null];
        yield 'PHP' => ['/index.php', null];
        yield 'PHP in capitals' => ['/index.PHP', null];
        yield 'PHP with a path behind it' => ['/index.php/style.css', null];
        yield 'a hidden file' => ['/.hidden', null];
        yield 'upwards' => ['/../outside.txt', null];
        yield 'upwards, encoded' => ['/%2e%2e/outside.txt', null];
        yield 'upwards, the slash encoded' => ['/..%2foutside.txt', null];
        yield 'upwards from a directory' => ['/sub/../../outside.txt', null];
        yield 'a zero byte' => ['/style.css%00.txt', null];
        yield 'a backslash' => ['/sub%5cpage.html', null];
        yield 'an empty part' => ['//style.css', null];
        yield 'an absolute URI' => ['http://elsewhere/style.css', null];
    }

    #[DataProvider('uris')]
    public function testOnlyPublicFilesAreFound(string $uri, ?string $file): void
    {
        self::assertSame($file === null ? null : self::PUBLIC . $file, (new StaticFiles(self::PUBLIC))->find($uri));
    }

    public function testContentTypesFollowTheName(): void
    {
        self::assertSame('text/css; charset=UTF-8', StaticFiles::contentType('/a/b.CSS'));
        self::assertSame('font/woff2', StaticFiles::contentType('/x.woff2'));
        self::assertSame('application/octet-stream', StaticFiles::contentType('/x.unknown'));
    }
}
