<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** What two runs have in common, and what became of it. */
final class Comparison implements \JsonSerializable
{
    /** Parts of a machine without which absolute figures can't be compared. */
    private const MACHINE = ['cpu', 'cores', 'memory'];

    /** Measured for the run, so different each time. */
    private const MOMENT = ['load_before', 'proxy_own_cost_us'];

    public readonly bool $sameMachine;

    /** @var list<array{what: string, before: string, after: string}> machine, versions, settings, commit */
    public readonly array $differences;

    /** @var list<Change> */
    public readonly array $changes;

    /** @var list<array{what: string, reason: string, failed: bool}> measured before only */
    public readonly array $lost;

    /** @var list<string> measured after only */
    public readonly array $gained;

    public function __construct(public readonly Run $before, public readonly Run $after)
    {
        $this->sameMachine = array_intersect_key($before->machine, array_flip(self::MACHINE)) === array_intersect_key($after->machine, array_flip(self::MACHINE));
        $this->differences = self::differences($before, $after);
        $changes = [];
        $lost = [];
        $gained = [];
        $suites = self::suites($before);
        foreach ($after->suites as $suite) {
            $old = self::rows($suites[$suite->name] ?? null);
            $common = array_map(static fn (array $rows): array => array_keys(Tables::parameters($rows)[0]), $suite->workloads());
            foreach (self::rows($suite) as $identity => $row) {
                if (!isset($suites[$suite->name], $old[$identity])) {
                    $gained[] = $this->name($suite, $row, $after);
                    continue;
                }
                foreach (array_keys(array_intersect_key($row->metrics, $old[$identity]->metrics)) as $key) {
                    $changes[] = Change::of($key, $suites[$suite->name], $old[$identity], $suite, $row, $common[$row->workload], $this->sameMachine);
                }
                foreach (array_diff_key($old[$identity]->metrics, $row->metrics) as $metric) {
                    $lost[] = ['what' => $this->name($suite, $row, $after) . ": {$metric->title()}", 'reason' => '', 'failed' => false];
                }
            }
        }
        foreach ($before->suites as $suite) {
            $new = self::rows(self::suites($after)[$suite->name] ?? null);
            foreach (array_diff_key(self::rows($suite), $new) as $row) {
                $lost[] = ['what' => $this->name($suite, $row, $before)] + $this->reason($suite, $row);
            }
        }
        $this->changes = $changes;
        $this->lost = $lost;
        $this->gained = $gained;
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
        $failed = array_filter($this->lost, static fn (array $lost): bool => $lost['failed']);
        $checks = array_diff(array_column($this->after->failedChecks(), 'name'), array_column($this->before->failedChecks(), 'name'));

        return [
            ...array_map(static fn (Change $change): string => "{$change->what()}, {$change->row->arm}: {$change->after->title()} {$change->percent()}", array_values($worse)),
            ...array_map(static fn (array $lost): string => "$lost[what]: $lost[reason]", array_values($failed)),
            ...array_map(static fn (string $name): string => "check $name fails now", array_values($checks)),
        ];
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $about = static fn (Run $run): array => ['file' => $run->file, 'commit' => $run->commit, 'started' => $run->started, 'profile' => $run->profile, 'complete' => $run->complete];

        return [
            'rule' => Noise::RULE, 'before' => $about($this->before), 'after' => $about($this->after), 'same_machine' => $this->sameMachine,
            'differences' => $this->differences, 'changes' => $this->changes, 'lost' => $this->lost, 'gained' => $this->gained,
            'regressions' => $this->regressions(),
        ];
    }

    /** @return list<array{what: string, before: string, after: string}> */
    private static function differences(Run $before, Run $after): array
    {
        $facts = static fn (Run $run): array => [
            'commit' => $run->commit, 'profile' => $run->profile, 'finished' => $run->complete ? 'yes' : 'no',
        ] + array_diff_key($run->machine + $run->versions + $run->settings, array_flip(self::MOMENT));
        [$old, $new] = [$facts($before), $facts($after)];
        $differences = [];
        foreach (array_keys($old + $new) as $name) {
            [$one, $other] = [$old[$name] ?? 'not recorded', $new[$name] ?? 'not recorded'];
            if ($one !== $other) {
                $differences[] = ['what' => $name, 'before' => $one, 'after' => $other];
            }
        }

        return $differences;
    }

    private function name(Suite $suite, Row $row, Run $run): string
    {
        $where = $row->describe();

        return "$suite->title, $row->workload" . ($where === '' ? '' : " ($where)") . ", {$run->armTitle($row->arm)}";
    }

    /** @return array{reason: string, failed: bool} why a row of the first run is not in the second */
    private function reason(Suite $suite, Row $row): array
    {
        foreach ($this->after->arms as $arm) {
            if ($arm->name === $row->arm && $arm->skipped !== null) {
                return ['reason' => $arm->skipped, 'failed' => false];
            }
        }
        foreach ($this->after->holes as $hole) {
            if ($hole['suite'] === $suite->name && in_array($hole['arm'], ['*', '', $row->arm], true) && in_array($hole['workload'], ['*', '', $row->workload], true)) {
                return ['reason' => ($hole['skipped'] ? 'skipped: ' : 'failed: ') . $hole['reason'], 'failed' => !$hole['skipped']];
            }
        }

        return ['reason' => $this->after->complete ? 'not asked for' : 'the run ended before', 'failed' => false];
    }

    /** @return array<string, Suite> */
    private static function suites(Run $run): array
    {
        return array_combine(array_map(static fn (Suite $suite): string => $suite->name, $run->suites), $run->suites);
    }

    /** @return array<string, Row> */
    private static function rows(?Suite $suite): array
    {
        $rows = [];
        foreach ($suite->rows ?? [] as $row) {
            $rows[$row->identity()] = $row;
        }

        return $rows;
    }
}
