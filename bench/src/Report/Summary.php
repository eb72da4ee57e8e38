<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Stats;

/** What a run says, in sentences: where coroutines gave something, where nothing, and what to doubt. */
final class Summary
{
    /** What a workload is about: the first of these that its rows have. */
    private const HEADLINES = ['throughput', 'elapsed', 'time', 'nanoseconds', 'microseconds', 'calls', 'memory_each', 'kibibytes', 'cpu'];

    /** Below this a gain is not worth the name. */
    private const WORTH = 1.1;

    /** What is judged, and the same with one request at a time: between them lies what concurrency gives. */
    private const ARM = 'weft';
    private const BLOCKING = 'weft-blocking';

    /** @var list<string> */
    public readonly array $gave;

    /** @var list<string> */
    public readonly array $nothing;

    /** @var list<string> */
    public readonly array $costs;

    /** @var list<string> */
    public readonly array $doubts;

    public function __construct(private readonly Run $run)
    {
        $gave = [];
        $nothing = [];
        $costs = [];
        foreach ($run->suites as $suite) {
            foreach ($suite->workloads() as $workload => $rows) {
                foreach (self::byPair($rows) as $pair => $members) {
                    $label = "`$workload`" . ($pair === '' ? ': ' : ", $pair: ");
                    $ours = array_values(array_filter($members, static fn (Row $row): bool => $row->arm === self::ARM));
                    [$better, $same] = $this->headline($suite, $ours);
                    array_push($gave, ...self::sentences($better, $label));
                    array_push($nothing, ...self::sentences($same, $label));
                    array_push($costs, ...$this->costs($suite, $label, $ours));
                }
                [$better, $same] = $this->concurrency($workload, $rows);
                array_push($gave, ...$better);
                array_push($nothing, ...$same);
            }
        }
        [$better, $same] = $this->theory();
        $this->gave = [...$gave, ...$better];
        $this->nothing = [...$nothing, ...$same];
        $this->costs = [...$costs, ...$this->overheads()];
        $this->doubts = $this->doubts();
    }

    /**
     * @param list<Row> $rows
     *
     * @return array{list<string>, list<string>}
     */
    private function headline(Suite $suite, array $rows): array
    {
        $better = [];
        $same = [];
        foreach (self::byArm($rows) as $arm => $own) {
            foreach (self::HEADLINES as $key) {
                $compared = $this->compared($suite, $own, $key);
                if ($compared === []) {
                    continue;
                }
                $gains = array_values(array_filter($compared, static fn (Compared $one): bool => $one->factor >= self::WORTH && $one->apart !== false));
                $rest = array_values(array_filter($compared, static fn (Compared $one): bool => $one->factor < self::WORTH || $one->apart === false));
                $better[] = $gains === [] ? '' : $this->range($arm, $gains);
                $same[] = $rest === [] ? '' : $this->range($arm, $rest);
                break;
            }
        }

        return [array_values(array_filter($better)), array_values(array_filter($same))];
    }

    /**
     * What is left of the gain when the application stays loaded on both sides.
     *
     * @param list<Row> $rows
     *
     * @return array{list<string>, list<string>}
     */
    private function concurrency(string $workload, array $rows): array
    {
        $blocking = [];
        foreach ($rows as $row) {
            if ($row->arm === self::BLOCKING) {
                $blocking[$row->setting()] = $row;
            }
        }
        $gains = [];
        foreach ($rows as $row) {
            $ratio = ($row->metrics['throughput'] ?? null)?->ratioTo(($blocking[$row->setting()] ?? null)?->metrics['throughput'] ?? null);
            if ($row->arm === self::ARM && $ratio !== null) {
                $gains[] = $ratio;
            }
        }
        if ($gains === []) {
            return [[], []];
        }
        [$least, $most] = [Cell::times(min($gains)), Cell::times(max($gains))];
        $range = $least === $most ? $least : "$least to $most";

        return max($gains) >= self::WORTH
            ? [["`$workload`: of that, concurrency alone is $range, against " . $this->run->armTitle(self::BLOCKING) . '.'], []]
            : [[], ["`$workload`: concurrency adds nothing ($range) to keeping the application loaded."]];
    }

    /**
     * @param list<Row> $rows
     *
     * @return list<Compared> the smallest ratio first
     */
    private function compared(Suite $suite, array $rows, string $key): array
    {
        $compared = array_values(array_filter(array_map(static fn (Row $row): ?Compared => Compared::of($suite, $row, $key), $rows)));
        usort($compared, static fn (Compared $a, Compared $b): int => $a->ratio <=> $b->ratio);

        return $compared;
    }

    /** @param non-empty-list<Compared> $compared the smallest ratio first */
    private function range(string $arm, array $compared): string
    {
        $first = $compared[0];
        $last = $compared[count($compared) - 1];
        [, $varying] = Tables::parameters(array_map(static fn (Compared $one): Row => $one->row, $compared));
        $range = Cell::times($first->ratio) === Cell::times($last->ratio) ? Cell::times($first->ratio) : $first->at($varying) . ' to ' . $last->at($varying);
        $figures = count($compared) > 1 ? '' : ": {$first->metric->figure()} against {$first->against->figure()} {$first->metric->unit}";
        $verdicts = array_map(static fn (Compared $one): ?bool => $one->apart, $compared);
        $unsure = match (true) {
            in_array(null, $verdicts, true) => ', in a single round',
            in_array(false, $verdicts, true) => count($compared) > 1 ? ', partly within the noise' : ', within the noise',
            default => '',
        };

        return "{$this->run->armTitle($arm)} has $range the {$first->metric->title()} of {$this->run->armTitle($first->baseline)}$figures$unsure";
    }

    /**
     * @param list<Row> $rows
     *
     * @return list<string>
     */
    private function costs(Suite $suite, string $label, array $rows): array
    {
        $parts = [];
        foreach (self::byArm($rows) as $arm => $own) {
            foreach (['cpu', 'pss_load'] as $key) {
                $compared = $this->compared($suite, $own, $key);
                if ($compared !== []) {
                    $parts[] = $this->range($arm, $compared);
                }
            }
        }

        return self::sentences($parts, $label);
    }

    /**
     * Rows that know what gain was to be expected of concurrency.
     *
     * @return array{list<string>, list<string>}
     */
    private function theory(): array
    {
        $errors = [];
        $gave = [];
        $nothing = [];
        foreach ($this->run->suites as $suite) {
            foreach ($suite->rows as $row) {
                $gain = $row->metrics['gain'] ?? null;
                $predicted = $row->metrics['predicted_gain'] ?? null;
                if ($gain === null || $predicted === null) {
                    continue;
                }
                if ($gain->median > 0.0) {
                    $errors[] = abs($predicted->median / $gain->median - 1);
                }
                $where = "`$row->workload`" . ($row->describe() === '' ? '' : " ({$row->describe()})") . self::share($row);
                if ($gain->median < self::WORTH) {
                    $nothing[] = "$where: concurrency gained nothing, " . Cell::times($gain->median) . '.';
                } else {
                    $gave[$where] = $gain->median;
                }
            }
        }
        $sentences = [];
        if ($gave !== []) {
            asort($gave);
            $least = array_key_first($gave);
            $most = array_key_last($gave);
            $sentences[] = 'Concurrency alone gained ' . Cell::times($gave[$least]) . " at $least"
                . ($least === $most ? '.' : ' and ' . Cell::times($gave[$most]) . " at $most.");
        }
        if ($errors !== []) {
            $sentences[] = sprintf(
                'The gain that T_io/T_cpu predicts was off by %.0f %% in the median and %.0f %% at worst, in %d rows.',
                100 * Stats::median($errors),
                100 * max($errors),
                count($errors),
            );
        }

        return [$sentences, $nothing];
    }

    private static function share(Row $row): string
    {
        $ratio = ($row->metrics['t_io'] ?? null)?->ratioTo($row->metrics['t_cpu'] ?? null);

        return $ratio === null ? '' : ', T_io/T_cpu ' . Stats::format($ratio);
    }

    /** @return list<string> */
    private function overheads(): array
    {
        $sentences = [];
        foreach ($this->run->suites as $suite) {
            foreach ($suite->rows as $row) {
                if (isset($row->metrics['overhead']) && $row->arm === self::ARM) {
                    $overhead = $row->metrics['overhead'];
                    $sentences[] = "`$row->workload`: {$this->run->armTitle($row->arm)} takes {$overhead->figure()} $overhead->unit longer than the slowest single call.";
                }
            }
        }

        return $sentences;
    }

    /** @return list<string> */
    private function doubts(): array
    {
        $doubts = [];
        if (!$this->run->complete) {
            $doubts[] = 'This run did not finish: what is missing was not measured.';
        }
        if ($this->run->profile === 'quick') {
            $doubts[] = 'This was a quick run: it shows that everything works, and figures only roughly.';
        }
        foreach ($this->run->failedChecks() as $check) {
            $doubts[] = "A check failed, so don't trust what depends on it: {$check['name']}" . ($check['detail'] === '' ? '.' : ": {$check['detail']}");
        }
        $skipped = array_filter($this->run->arms, static fn (Arm $arm): bool => $arm->skipped !== null && $arm->skipped !== Arm::UNWANTED);
        if ($skipped !== []) {
            $doubts[] = 'Not measured: ' . implode(', ', array_map(static fn (Arm $arm): string => $arm->title, $skipped)) . ' (see Holes).';
        }
        if ($this->run->holes !== []) {
            $doubts[] = count($this->run->holes) === 1 ? 'One measurement failed (see Holes).' : count($this->run->holes) . ' measurements failed (see Holes).';
        }
        $marked = [];
        $missed = [];
        $met = 0;
        foreach ($this->run->suites as $suite) {
            foreach ($suite->rows as $row) {
                foreach ($row->marks as $mark) {
                    $kind = (string) preg_replace('/^[\d. ]+%/', '… %', $mark);
                    $marked[$kind] = ($marked[$kind] ?? 0) + 1;
                }
                foreach ($row->metrics as $key => $metric) {
                    $reached = $suite->meets($row, $key);
                    $met += $reached === true ? 1 : 0;
                    if ($reached === false) {
                        $missed[] = trim("`$row->workload` {$row->describe()}") . ", {$metric->title()}";
                    }
                }
            }
        }
        foreach ($marked as $mark => $count) {
            $doubts[] = ($count === 1 ? 'One row is' : "$count rows are") . " marked “{$mark}”.";
        }
        if ($missed !== []) {
            $doubts[] = sprintf('Targets: %d met, %d missed: %s.', $met, count($missed), implode('; ', $missed));
        }

        return $doubts;
    }

    /**
     * @param list<Row> $rows
     *
     * @return array<string, non-empty-list<Row>>
     */
    private static function byPair(array $rows): array
    {
        $pairs = [];
        foreach ($rows as $row) {
            $pairs[$row->pair ?? ''][] = $row;
        }

        return $pairs;
    }

    /**
     * @param list<Row> $rows
     *
     * @return array<string, non-empty-list<Row>>
     */
    private static function byArm(array $rows): array
    {
        $arms = [];
        foreach ($rows as $row) {
            $arms[$row->arm][] = $row;
        }

        return $arms;
    }

    /**
     * @param list<string> $parts
     *
     * @return list<string>
     */
    private static function sentences(array $parts, string $label): array
    {
        return $parts === [] ? [] : [$label . implode('; ', $parts) . '.'];
    }
}
