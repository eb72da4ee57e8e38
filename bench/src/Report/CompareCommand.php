<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** bench/run compare A B */
final class CompareCommand
{
    private const HEADINGS = [
        Change::WORSE => 'Worse', Change::BETTER => 'Better', Change::OTHER => 'Different, neither better nor worse',
        Change::DRIFT => 'Moved with their baseline: the machine changed, not the arm', Change::UNJUDGED => 'Not judged',
    ];

    /** So many rows that are missing in one run are named; of the others the number. */
    private const NAMED = 20;

    /** @param list<string> $arguments */
    public static function main(array $arguments): int
    {
        $options = Commands::options($arguments, ['json', 'all', 'fail-on-regression']);
        [$before, $after] = Commands::paths('compare', $arguments, ['A', 'B']) + [1 => ''];
        $comparison = new Comparison(Run::load($before), Run::load($after));
        echo isset($options['json'])
            ? json_encode($comparison, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR) . "\n"
            : self::text($comparison, isset($options['all']));

        return isset($options['fail-on-regression']) && $comparison->regressions() !== [] ? 1 : 0;
    }

    public static function text(Comparison $comparison, bool $all = false): string
    {
        $text = "# What changed\n\n- A: {$comparison->before->file}, {$comparison->before->started}\n- B: {$comparison->after->file}, {$comparison->after->started}\n\n";
        $text .= self::differences($comparison);
        foreach (self::HEADINGS + ($all ? [Change::SAME => 'Within the noise'] : []) as $verdict => $heading) {
            $changes = $comparison->with($verdict);
            if ($changes !== [] && ($verdict !== Change::UNJUDGED || $all)) {
                $text .= "## $heading\n\n" . self::table($comparison, $changes)->markdown() . "\n";
            }
        }
        $text .= self::missing('Only in A', array_map(static fn (array $lost): string => $lost['what'] . ($lost['reason'] === '' ? '' : " ($lost[reason])"), $comparison->lost))
            . self::missing('Only in B', $comparison->gained);

        return $text . self::count($comparison) . "\n\n" . Noise::RULE . ' A multiple is taken round by round against the baseline of the same run. '
            . "A figure that changed together with its baseline, while their ratio did not, is not called better or worse.\n";
    }

    private static function differences(Comparison $comparison): string
    {
        if ($comparison->differences === []) {
            return "Machine, versions, settings and commit are the same.\n\n";
        }
        $table = new Table('', ['', 'A', 'B'], array_map(
            static fn (array $one): array => [new Cell($one['what']), new Cell($one['before']), new Cell($one['after'])],
            $comparison->differences,
        ), 3);

        return $table->markdown() . "\n" . ($comparison->sameMachine ? '' : "The machines differ: only multiples of the baseline are judged, not absolute figures.\n\n");
    }

    /** @param list<Change> $changes */
    private static function table(Comparison $comparison, array $changes): Table
    {
        return new Table('', ['suite', 'workload', 'arm', 'figure', 'A', 'B', 'change', '× baseline'], array_map(static fn (Change $change): array => [
            new Cell($change->suite), new Cell($change->what()), new Cell($comparison->after->armTitle($change->row->arm)), new Cell($change->after->label()),
            new Cell($change->before->figure(), $change->before->doubt()), new Cell($change->after->figure(), $change->after->doubt()),
            new Cell($change->percent()),
            new Cell($change->multipleBefore === null || $change->multipleAfter === null ? '' : Cell::times($change->multipleBefore) . ' → ' . Cell::times($change->multipleAfter)),
        ], $changes), 4);
    }

    /** @param list<string> $names */
    private static function missing(string $heading, array $names): string
    {
        if ($names === []) {
            return '';
        }
        $rest = count($names) - self::NAMED;

        return "## $heading\n\n" . implode('', array_map(static fn (string $name): string => "- $name\n", array_slice($names, 0, self::NAMED)))
            . ($rest > 0 ? "- and $rest more\n" : '') . "\n";
    }

    private static function count(Comparison $comparison): string
    {
        $parts = [];
        foreach ([Change::WORSE, Change::BETTER, Change::OTHER, Change::DRIFT, Change::SAME, Change::UNJUDGED] as $verdict) {
            $parts[] = count($comparison->with($verdict)) . " $verdict";
        }

        return count($comparison->changes) . ' figures are in both: ' . implode(', ', $parts) . '.'
            . ($comparison->with(Change::UNJUDGED) === [] ? '' : ' What was measured in a single round, or at rates of arrival more than a tenth apart (set them with --scale), is not judged (--all lists it).');
    }
}
