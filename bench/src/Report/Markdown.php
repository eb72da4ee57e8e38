<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** report.md: for terminals, for tickets, and for the generated part of docs/benchmarks.md. */
final class Markdown
{
    private const LEGEND = 'In brackets: the multiple of the baseline at the same setting. ' . self::SIGNS;

    public const SIGNS = '± is half the distance between the extremes of the rounds, in percent of their median. '
        . '✓ and ✗ say whether a target was met.';

    public static function page(Run $run): string
    {
        return '# Weft benchmark, ' . $run->started . ($run->complete ? '' : ' (not finished)') . "\n\n"
            . self::results($run, '##')
            . "## Machine and settings\n\n" . self::facts($run);
    }

    /** Summary, tables, holes and checks, with headings that begin at the given level. */
    public static function results(Run $run, string $heading): string
    {
        $text = self::summary(new Summary($run), $heading) . self::LEGEND . "\n\n";
        $tables = new Tables($run);
        foreach ($run->suites as $suite) {
            $text .= "$heading $suite->title\n\n" . ($suite->introduction($run) === '' ? '' : "{$suite->introduction($run)}\n\n");
            foreach ($tables->of($suite) as $workload) {
                foreach ($workload as $table) {
                    $text .= $table->markdown() . "\n";
                }
            }
            $text .= $suite->rows === [] ? "Nothing was measured.\n\n" : '';
        }

        return $text . self::section("$heading Holes", Lists::holes($run)) . self::section("$heading Checks", Lists::checks($run));
    }

    public static function facts(Run $run): string
    {
        $lines = '';
        foreach (Lists::facts($run) as $name => $value) {
            $lines .= "- $name: $value\n";
        }

        return $lines;
    }

    private static function summary(Summary $summary, string $heading): string
    {
        $text = "$heading Summary\n\n";
        foreach (Lists::summary($summary) as $title => $sentences) {
            $text .= "$title\n\n" . implode('', array_map(static fn (string $sentence): string => "- $sentence\n", $sentences)) . "\n";
        }

        return $text;
    }

    private static function section(string $heading, Table $table): string
    {
        return $table->rows === [] ? '' : "$heading\n\n" . $table->markdown() . "\n";
    }
}
