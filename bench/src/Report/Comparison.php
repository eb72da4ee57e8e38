<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Metric;
use Weft\Bench\Noise;
use Weft\Bench\Row;
use Weft\Bench\Run;
use Weft\Bench\Stats;

/** What two runs have in common, and what became of it. */
final class Comparison
{
    /** Parts of a machine without which absolute figures can't be compared. */
    private const MACHINE = ['cpu', 'cores', 'memory'];

    /** So many rows that are missing in one run are named; of the others the number. */
    private const NAMED = 20;

    /** @var list<Change> */
    public readonly array $changes;

    /** @var array<string, string> what was measured before only: the reason */
    private readonly array $lost;

    /** @var list<string> measured after only */
    private readonly array $gained;

    private readonly bool $sameMachine;

    public function __construct(public readonly Run $before, public readonly Run $after)
    {
        $this->sameMachine = array_intersect_key($before->machine, array_flip(self::MACHINE)) === array_intersect_key($after->machine, array_flip(self::MACHINE));
        $byIdentity = static fn (Run $run): array => array_combine(array_map(static fn (Row $row): string => $row->identity(), $run->rows()), $run->rows());
        [$old, $new] = [$byIdentity($before), $byIdentity($after)];
        $changes = [];
        foreach (array_intersect_key($new, $old) as $identity => $row) {
            foreach (Metric::sorted(array_intersect_key($row->metrics, $old[$identity]->metrics)) as $key) {
                $changes[] = new Change($key, $before, $old[$identity], $after, $row, $this->sameMachine);
            }
        }
        $lost = [];
        foreach (array_diff_key($old, $new) as $row) {
            $lost[self::name($row, $before)] = $this->reason($row);
        }
        $this->changes = $changes;
        $this->lost = $lost;
        $this->gained = array_map(static fn (Row $row): string => self::name($row, $after), array_values(array_diff_key($new, $old)));
    }

    /** @return list<Change> */
    public function with(string $verdict): array
    {
        return array_values(array_filter($this->changes, static fn (Change $change): bool => $change->verdict === $verdict));
    }

    /** @return list<string> what should stop a merge */
    public function regressions(): array
    {
        $worse = array_filter($this->changes, static fn (Change $change): bool => $change->isRegression());
        $failed = array_filter($this->lost, static fn (string $reason): bool => str_starts_with($reason, 'failed: '));
        $checks = array_diff($this->after->failedChecks(), $this->before->failedChecks());

        return [
            ...array_map(
                static fn (Change $change): string => self::what($change->new) . ", {$change->new->arm}: " . Metric::title($change->key) . " {$change->percent()}",
                array_values($worse),
            ),
            ...array_map(static fn (string $what, string $why): string => "$what: $why", array_keys($failed), $failed),
            ...array_map(static fn (string $name): string => "check $name fails now", array_values($checks)),
        ];
    }

    public function markdown(bool $all = false): string
    {
        $facts = static fn (Run $run): array => ['commit' => $run->commit, 'profile' => $run->profile, 'finished' => $run->finished === null ? 'no' : 'yes']
            + array_diff_key($run->machine, ['load_before' => '']) + $run->versions + $run->settings;
        [$old, $new] = [$facts($this->before), $facts($this->after)];
        $differences = [];
        foreach (array_keys($old + $new) as $name) {
            [$one, $other] = [$old[$name] ?? 'not recorded', $new[$name] ?? 'not recorded'];
            $differences = $one === $other ? $differences : [...$differences, [$name, $one, $other]];
        }
        $text = "# What changed\n\n- A: {$this->before->directory}, {$this->before->started}\n- B: {$this->after->directory}, {$this->after->started}\n\n"
            . ($differences === [] ? '' : (new Table('', ['', 'A', 'B'], $differences, 3))->markdown() . "\n")
            . ($this->sameMachine ? '' : "The machines differ: only multiples of the baseline are judged, not absolute figures.\n\n");
        $counts = [];
        foreach ([Change::WORSE, Change::BETTER, Change::OTHER, Change::DRIFT, Change::UNJUDGED, Change::SAME] as $verdict) {
            $changes = $this->with($verdict);
            $counts[] = count($changes) . " $verdict";
            if ($changes !== [] && ($all || !in_array($verdict, [Change::UNJUDGED, Change::SAME], true))) {
                $text .= '## ' . ucfirst($verdict) . "\n\n" . $this->table($changes)->markdown() . "\n";
            }
        }
        $lost = array_map(static fn (string $what, string $why): string => "$what ($why)", array_keys($this->lost), $this->lost);

        return $text . self::missing('Only in A', $lost) . self::missing('Only in B', $this->gained)
            . count($this->changes) . ' figures are in both: ' . implode(', ', $counts) . '. What was measured in a single round, or at rates of arrival more than a tenth apart '
            . "(set them with --scale), is not judged (--all lists it).\n\n" . Noise::RULE . ' A multiple is taken round by round against the baseline of the same run. '
            . "A figure that changed together with its baseline, while their ratio did not, is not called better or worse.\n";
    }

    /** @param list<Change> $changes */
    private function table(array $changes): Table
    {
        return new Table('', ['suite', 'workload', 'arm', 'figure', 'A', 'B', 'change', '× baseline'], array_map(fn (Change $change): array => [
            $this->after->suites[$change->new->suite]['title'] ?? $change->new->suite,
            self::what($change->new),
            $this->after->armTitle($change->new->arm),
            Metric::label($change->key),
            new Cell(Cell::figure($change->key, Stats::median($change->one)), Cell::doubt($change->one)),
            new Cell(Cell::figure($change->key, Stats::median($change->other)), Cell::doubt($change->other)),
            $change->percent(),
            $change->multiple(),
        ], $changes), 4);
    }

    /** @param list<string> $names */
    private static function missing(string $heading, array $names): string
    {
        $rest = count($names) - self::NAMED;
        $lines = [...array_slice($names, 0, self::NAMED), ...($rest > 0 ? ["and $rest more"] : [])];

        return $names === [] ? '' : "## $heading\n\n" . implode('', array_map(static fn (string $line): string => "- $line\n", $lines)) . "\n";
    }

    private static function what(Row $row): string
    {
        $where = implode(', ', array_filter([(string) $row->pair, $row->describe()], static fn (string $part): bool => $part !== ''));

        return $row->workload . ($where === '' ? '' : " ($where)");
    }

    private static function name(Row $row, Run $run): string
    {
        return ($run->suites[$row->suite]['title'] ?? $row->suite) . ', ' . self::what($row) . ", {$run->armTitle($row->arm)}";
    }

    /** Why a row of the first run is not in the second. */
    private function reason(Row $row): string
    {
        $skipped = $this->after->arms[$row->arm]['skipped'] ?? null;
        if ($skipped !== null) {
            return $skipped;
        }
        foreach ($this->after->holes as $hole) {
            if ($hole['suite'] === $row->suite && in_array($hole['arm'], ['*', '', $row->arm], true) && in_array($hole['workload'], ['*', '', $row->workload], true)) {
                return ($hole['skipped'] ? 'skipped: ' : 'failed: ') . $hole['reason'];
            }
        }

        return $this->after->finished === null ? 'the run ended before' : Run::UNWANTED;
    }
}
