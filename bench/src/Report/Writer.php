<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Json;
use Weft\Bench\Row;
use Weft\Bench\Run;
use Weft\Bench\Workspace;

/**
 * Makes report.md and report.html, which needs no other file, beside a run's raw.json: the same blocks in the same order.
 * Tables hold every figure; the charts need a script that tools/report-charts bundles.
 */
final class Writer
{
    private const STYLE = __DIR__ . '/../../report/report.css';
    private const BUNDLE = __DIR__ . '/../../../var/bench-report/charts.js';

    private const LEGEND = 'In brackets, or bold: the multiple of the baseline at the same setting (green where it is better and red where it is worse by more '
        . 'than noise). ± is half the distance between the extremes of the rounds, in percent of their median. ✓ and ✗ say whether a target was met.';

    /** @return list<string> the files */
    public static function write(Run $run, string $bundle = self::BUNDLE): array
    {
        $script = is_file($bundle) ? (string) file_get_contents($bundle) : '';
        $why = trim((string) @file_get_contents(dirname($bundle) . '/why-not.txt')) ?: '`tools/report-charts` has not been run';

        return [
            Workspace::put("$run->directory/report.md", self::markdown($run)),
            Workspace::put("$run->directory/report.html", self::html($run, (string) file_get_contents(self::STYLE), $script, $script === '' ? "There are no charts: $why." : '')),
        ];
    }

    public static function markdown(Run $run): string
    {
        $text = '# ' . self::title($run) . "\n\n";
        foreach (self::blocks($run) as $block) {
            $text .= match (true) {
                $block instanceof Table => $block->markdown() . "\n",
                $block instanceof Chart => '',
                is_array($block) => implode('', array_map(static fn (string $item): string => "- $item\n", $block)) . "\n",
                default => "$block\n\n",
            };
        }

        return $text;
    }

    /** @param string $note why there is no script */
    public static function html(Run $run, string $style, string $script, string $note = ''): string
    {
        $body = '<h1>' . Table::escape(self::title($run)) . "</h1>\n" . ($note === '' ? '' : '<p>' . Table::escape($note) . "</p>\n");
        $charts = [];
        foreach (self::blocks($run) as $block) {
            if ($block instanceof Chart) {
                $body .= $script === '' ? '' : '<figure><figcaption>' . Table::escape($block->title) . '</figcaption><div data-chart="' . count($charts) . "\"></div></figure>\n";
                $charts[] = $block;
                continue;
            }
            $body .= match (true) {
                $block instanceof Table => $block->html(),
                is_array($block) => '<ul>' . implode('', array_map(static fn (string $item): string => '<li>' . Table::escape($item) . "</li>\n", $block)) . "</ul>\n",
                str_starts_with($block, '## ') => '<h2>' . Table::escape(substr($block, 3)) . "</h2>\n",
                default => '<p>' . Table::escape($block) . "</p>\n",
            };
        }
        $data = json_encode(
            ['arms' => array_column($run->arms, 'title'), 'charts' => $charts],
            JSON_HEX_TAG | JSON_HEX_AMP | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR,
        );
        $scripts = $script === '' ? '' : "<script type=\"application/json\" id=\"charts\">$data</script>\n<script>"
            . str_replace('</script', '<\\/script', $script) . "</script>\n";

        return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            . "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
            . "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
            . '<title>' . Table::escape(self::title($run)) . "</title>\n<style>\n$style</style>\n</head>\n<body>\n<main>\n$body</main>\n$scripts</body>\n</html>\n";
    }

    private static function title(Run $run): string
    {
        return "Weft benchmark, $run->started" . ($run->finished === null ? ' (not finished)' : '');
    }

    /** @return \Generator<int, string|list<string>|Table|Chart> */
    private static function blocks(Run $run): \Generator
    {
        yield "Commit $run->commit, $run->profile run.";
        yield Summary::doubts($run);
        $glance = Summary::glance($run);
        if ($glance->rows !== []) {
            yield '## At a glance';
            yield $glance;
        }
        yield self::LEGEND;
        foreach ($run->suites as $name => $suite) {
            yield "## $suite[title]";
            $arms = array_unique(array_map(static fn (Row $row): string => $row->arm, $run->rows($name)));
            // Unless it compares with several, and has said so.
            yield trim($suite['about'] . (count($arms) > 1 && !str_contains($suite['about'], 'Multiples of') ? ' Multiples of ' . $run->armTitle($suite['baseline']) . '.' : ''));
            $workloads = [];
            foreach ($run->rows($name) as $row) {
                $workloads[$row->workload][] = $row;
            }
            yield from Charts::ofSuite($run, $run->rows($name));
            foreach ($workloads as $rows) {
                yield from Charts::ofWorkload($run, $rows);
                yield from Tables::of($run, $rows);
            }
            if ($workloads === []) {
                yield 'Nothing was measured.';
            }
        }
        yield from self::remarks($run);
    }

    /** @return \Generator<int, string|list<string>|Table> */
    private static function remarks(Run $run): \Generator
    {
        $holes = [];
        foreach ($run->arms as $arm) {
            $holes = $arm['skipped'] === null ? $holes : [...$holes, [$arm['title'], 'everything', $arm['skipped'] === Run::UNWANTED ? $arm['skipped'] : "skipped: $arm[skipped]"]];
        }
        foreach ($run->holes as $hole) {
            $what = implode(', ', array_diff([$hole['suite'], $hole['workload']], ['', '*']));
            $holes[] = [$hole['arm'] === '*' ? 'all' : $run->armTitle($hole['arm']), $what, ($hole['skipped'] ? 'skipped: ' : 'failed: ') . Json::excerpt($hole['reason'])];
        }
        if ($holes !== []) {
            yield '## Holes';
            yield new Table('', ['arm', 'what is missing', 'why'], $holes, 3, 0);
        }
        if ($run->checks !== []) {
            yield '## Checks';
            $checks = [];
            foreach ($run->checks as $name => $check) {
                $checks[] = [(string) $name, new Cell($check['passed'] ? 'yes' : 'NO', mood: $check['passed'] ? '' : Cell::BAD), $check['detail']];
            }
            yield new Table('', ['check', 'passed', 'what was seen'], $checks, 3, 0);
        }
        yield '## Machine and settings';
        $facts = array_filter(['finished' => $run->finished ?? 'no'] + $run->machine + $run->versions + $run->settings, static fn (string $value): bool => $value !== '');
        yield array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($facts), $facts);
    }
}
