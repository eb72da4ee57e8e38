<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Stats;

/** What a run says, in sentences: where coroutines gave something, where nothing, and what to doubt. */
final class Summary
{
    /** What a workload is about: the first of these that its rows have. */
    private const HEADLINES = ['throughput', 'p50', 'elapsed', 'beyond_sleep', 'time', 'nanoseconds', 'microseconds', 'calls', 'memory_each', 'kibibytes', 'cpu'];

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
    public readonly array $others;

    /** @var list<string> */
    public readonly array $costs;

    /** @var list<string> */
    public readonly array $doubts;

    public function __construct(private readonly Run $run)
    {
        $gave = [];
        $nothing = [];
        $others = [];
        $costs = [];
        $seen = array_count_values(array_merge(...array_map(static fn (Suite $suite): array => array_keys($suite->workloads()), $run->suites)));
        foreach ($run->suites as $suite) {
            foreach ($suite->workloads() as $workload => $rows) {
                if (self::isPredicted($rows)) {
                    continue;
                }
                $name = "`$workload`" . ($seen[$workload] > 1 ? " ($suite->title)" : '');
                [$alone, $none] = $this->concurrency($rows);
                foreach (self::byPair($rows) as $pair => $members) {
                    [$better, $same] = $this->headline($suite, self::ours($members));
                    if ($better !== []) {
                        array_push($better, ...array_map(static fn (string $part): string => "of that, $part", $alone));
                        $alone = [];
                    }
                    $label = $name . ($pair === '' ? ': ' : ", $pair: ");
                    array_push($gave, ...self::sentences($better, $label));
                    array_push($nothing, ...self::sentences($same, $label));
                }
                array_push($gave, ...self::sentences($alone, "$name: "));
                array_push($nothing, ...self::sentences($none, "$name: "));
            }
            array_push($others, ...$this->others($suite));
            array_push($costs, ...self::sentences($this->costs($suite), "$suite->title: "));
        }
        [$better, $same] = $this->theory();
        $this->gave = [...$gave, ...$better];
        $this->nothing = [...$nothing, ...$same];
        $this->others = $others;
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
        foreach (self::HEADLINES as $key) {
            $compared = self::sorted(array_map(static fn (Row $row): ?Compared => Compared::of($suite, $row, $key), $rows));
            if ($compared === []) {
                continue;
            }
            $gains = array_values(array_filter($compared, static fn (Compared $one): bool => $one->factor >= self::WORTH && $one->apart !== false));
            $rest = array_values(array_filter($compared, static fn (Compared $one): bool => $one->factor < self::WORTH || $one->apart === false));

            return [$gains === [] ? [] : [$this->range($gains)], $rest === [] ? [] : [$this->range($rest)]];
        }

        return [[], []];
    }

    /**
     * What is left of the gain when the application stays loaded on both sides.
     *
     * @param list<Row> $rows
     *
     * @return array{list<string>, list<string>} as parts of sentences: what it gives, or that it gives nothing
     */
    private function concurrency(array $rows): array
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
            ? [["concurrency alone is $range, against " . $this->run->armTitle(self::BLOCKING)], []]
            : [[], ["concurrency adds nothing ($range) to keeping the application loaded"]];
    }

    /**
     * @param list<Compared|null> $compared
     *
     * @return list<Compared> the smallest ratio first
     */
    private static function sorted(array $compared): array
    {
        $compared = array_values(array_filter($compared));
        usort($compared, static fn (Compared $a, Compared $b): int => $a->ratio <=> $b->ratio);

        return $compared;
    }

    /** @param non-empty-list<Compared> $compared the smallest ratio first */
    private function range(array $compared): string
    {
        $first = $compared[0];
        $last = $compared[count($compared) - 1];
        $rows = array_map(static fn (Compared $one): Row => $one->row, $compared);
        [, $varying] = Tables::parameters($rows);
        $workloads = count(array_unique(array_map(static fn (Row $row): string => $row->workload, $rows))) > 1;
        // Workloads differ in parameters of their own, which their names stand for.
        $varying = $workloads ? array_values(array_intersect($varying, ['workers', 'concurrency'])) : $varying;
        $range = Cell::times($first->ratio) === Cell::times($last->ratio)
            ? Cell::times($first->ratio)
            : $first->at($varying, $workloads) . ' to ' . $last->at($varying, $workloads);
        $figures = count($compared) > 1 ? '' : rtrim(": {$first->metric->figure()} against {$first->against->figure()} {$first->metric->unit}");
        $noisy = in_array(false, array_map(static fn (Compared $one): ?bool => $one->apart, $compared), true);
        $unsure = $noisy ? (count($compared) > 1 ? ', partly within the noise' : ', within the noise') : '';

        return $this->run->armTitle(self::ARM) . " has $range the {$first->metric->title()} of {$this->run->armTitle($first->baseline)}$figures$unsure";
    }

    /** @return list<string> how the same rows compare with arms that are not the baseline */
    private function others(Suite $suite): array
    {
        $arms = array_values(array_unique(array_map(static fn (Row $row): string => $row->arm, $suite->rows)));
        $sentences = [];
        foreach (array_diff($arms, [self::ARM, self::BLOCKING, $suite->baseline]) as $arm) {
            $parts = [];
            foreach (['throughput', 'elapsed', 'p50', 'pss_load'] as $key) {
                $rows = array_filter(self::ours($suite->rows), static fn (Row $row): bool => ($key === 'p50') === $row->isGiven('throughput') || $key === 'pss_load');
                $compared = self::sorted(array_map(static fn (Row $row): ?Compared => Compared::between($row, $suite->counterpart($row, $arm), $key), array_values($rows)));
                if ($compared !== []) {
                    $parts[] = $this->range($compared);
                }
            }
            array_push($sentences, ...self::sentences($parts, "$suite->title: "));
        }

        return $sentences;
    }

    /** @return list<string> */
    private function costs(Suite $suite): array
    {
        $parts = [];
        foreach (['cpu', 'pss_load', 'pss_idle'] as $key) {
            $compared = self::sorted(array_map(static fn (Row $row): ?Compared => Compared::of($suite, $row, $key), self::ours($suite->rows)));
            // Memory at rest only where there is no load.
            if ($compared !== [] && ($key !== 'pss_idle' || count($parts) < 2)) {
                $parts[] = $this->range($compared);
            }
        }

        return $parts;
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
        if ($this->run->busy() !== null) {
            $doubts[] = sprintf('The machine was busy with something else when it began (load %s, %s processors): ', $this->run->busy(), $this->run->machine['cores'] ?? 'unknown')
                . 'absolute figures are worth little, ratios more.';
        }
        $measured = array_filter($this->run->suites, static fn (Suite $suite): bool => $suite->rows !== []);
        $single = array_filter($measured, self::isSingle(...));
        if ($single !== []) {
            $what = count($single) === count($measured) ? 'Everything was' : implode(', ', array_map(static fn (Suite $suite): string => "“{$suite->title}”", $single)) . ' were';
            $doubts[] = "$what measured in a single round: nothing says how far a figure can be trusted.";
        }
        foreach ($this->run->failedChecks() as $check) {
            $doubts[] = "A check failed, so don't trust what depends on it: {$check['name']}" . ($check['detail'] === '' ? '.' : ": {$check['detail']}");
        }
        $skipped = array_filter($this->run->arms, static fn (Arm $arm): bool => $arm->skipped !== null && $arm->skipped !== Arm::UNWANTED);
        if ($skipped !== []) {
            $doubts[] = 'Not measured: ' . implode(', ', array_map(static fn (Arm $arm): string => $arm->title, $skipped)) . ' (see Holes).';
        }
        $failed = count(array_filter($this->run->holes, static fn (array $hole): bool => !$hole['skipped']));
        if ($failed > 0) {
            $doubts[] = $failed === 1 ? 'One measurement failed (see Holes).' : "$failed measurements failed (see Holes).";
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
     * @return list<Row>
     */
    private static function ours(array $rows): array
    {
        return array_values(array_filter($rows, static fn (Row $row): bool => $row->arm === self::ARM));
    }

    private static function isSingle(Suite $suite): bool
    {
        foreach ($suite->rows as $row) {
            foreach ($row->metrics as $metric) {
                if (count($metric->rounds) > 1) {
                    return false;
                }
            }
        }

        return true;
    }

    /**
     * Rows that know what was to be expected are told about by theory().
     *
     * @param list<Row> $rows
     */
    private static function isPredicted(array $rows): bool
    {
        return array_filter($rows, static fn (Row $row): bool => isset($row->metrics['predicted_gain'])) !== [];
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
