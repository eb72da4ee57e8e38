<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** Finds in a suite what is worth drawing. It looks at what rows hold, not at the suite's name. */
final class Charts
{
    /** Parameters that are an axis when they take at least so many values, in the order of preference. */
    private const AXES = ['workers' => 2, 'concurrency' => 3, 'connections' => 3, 'clients' => 3, 'latency_ms' => 3, 'work_us' => 3, 'share_of_capacity' => 2];

    /** What is drawn against such an axis. */
    private const SWEPT = ['throughput', 'p50', 'pss_load', 'memory_each', 'cpu'];

    private const PHASES = ['phase_php', 'phase_sql', 'phase_worker'];

    public function __construct(private readonly Run $run)
    {
    }

    /** @return array<string, list<Chart>> by workload; those of the whole suite under "" */
    public function of(Suite $suite): array
    {
        $gains = $this->gains($suite);
        $charts = ['' => [...$gains, ...self::effects($suite)]];
        foreach ($suite->workloads() as $workload => $rows) {
            // A sweep that knows its gain is drawn as that.
            $predicted = $gains !== [] && array_filter($rows, static fn (Row $row): bool => isset($row->metrics['predicted_gain'])) !== [];
            $charts[$workload] = [
                ...($predicted ? [] : [...$this->sweeps($workload, $rows), ...$this->distribution($workload, $rows)]),
                ...$this->phases($workload, $rows),
                ...$this->durations($workload, $rows),
                ...$this->timelines($workload, $rows),
            ];
        }

        return array_filter($charts) ?: array_filter(['' => $this->ratios($suite)]);
    }

    /**
     * @param list<Row> $rows
     *
     * @return list<Chart>
     */
    private function sweeps(string $workload, array $rows): array
    {
        $rows = array_values(array_filter($rows, static fn (Row $row): bool => $row->pair === null));
        $axis = null;
        foreach (self::AXES as $name => $least) {
            $values = array_unique(array_filter(array_map(static fn (Row $row): string => $row->parameters[$name] ?? '', $rows), is_numeric(...)));
            if ($axis === null && count($values) >= $least) {
                $axis = $name;
            }
        }
        if ($axis === null) {
            return [];
        }
        // What is the same everywhere is said in the table.
        [$fixed] = Tables::parameters($rows);
        $groups = [];
        foreach ($rows as $row) {
            if (is_numeric($row->parameters[$axis] ?? '')) {
                $groups[$row->describe([$axis, ...array_keys($fixed)])][] = $row;
            }
        }
        $charts = [];
        foreach ($groups as $group => $members) {
            foreach (self::SWEPT as $key) {
                $charts[] = $this->sweep($workload, (string) $group, $axis, $key, $members);
            }
        }

        return array_values(array_filter($charts));
    }

    /** @param non-empty-list<Row> $rows */
    private function sweep(string $workload, string $group, string $axis, string $key, array $rows): ?Chart
    {
        $points = [];
        $metric = null;
        $series = $this->series($rows);
        foreach ($rows as $row) {
            $metric = $row->metrics[$key] ?? $metric;
            if (isset($row->metrics[$key])) {
                $points[] = self::point($this->index($series, $row->arm), (float) $row->parameters[$axis], $row->metrics[$key]);
            }
        }
        $places = array_unique(array_column($points, 'x'));
        if ($metric === null || count($places) < self::AXES[$axis]) {
            return null;
        }
        usort($points, static fn (array $a, array $b): int => $a['x'] <=> $b['x']);
        $name = strtr(str_replace('_ms', '', $axis), '_', ' ');
        $title = ucfirst($metric->title()) . " against $name: $workload" . ($group === '' ? '' : ", $group");
        $log = min($places) > 0 && max($places) / min($places) >= 20;

        return Chart::lines(
            $title,
            str_ends_with($axis, '_ms') ? "$name, ms" : $name,
            $log ? Chart::LOG : Chart::LINEAR,
            $metric->label(),
            $this->public($series),
            $points,
        );
    }

    /**
     * @param list<Row> $rows
     *
     * @return list<Chart>
     */
    private function distribution(string $workload, array $rows): array
    {
        [$fixed] = Tables::parameters($rows);
        $rows = self::fullest(array_filter($rows, static fn (Row $row): bool => $row->distribution !== []));
        if ($rows === []) {
            return [];
        }
        $series = $this->series($rows);
        $points = [];
        foreach ($rows as $row) {
            foreach ($row->distribution as [$percentile, $milliseconds]) {
                // 100 % is infinitely far to the right.
                if ($percentile < 100.0) {
                    $points[] = ['series' => $this->index($series, $row->arm), 'x' => $percentile, 'y' => $milliseconds, 'low' => $milliseconds, 'high' => $milliseconds];
                }
            }
        }
        usort($points, static fn (array $a, array $b): int => $a['x'] <=> $b['x']);
        $title = self::titled('Distribution of latency', $workload, $rows[0], $fixed);

        return $points === [] ? [] : [Chart::lines($title, 'percent of requests', Chart::PERCENTILE, 'answered within, ms', $this->public($series), $points)];
    }

    /**
     * @param list<Row> $rows
     *
     * @return list<Chart>
     */
    private function phases(string $workload, array $rows): array
    {
        [$fixed] = Tables::parameters($rows);
        $rows = self::fullest(array_filter($rows, static fn (Row $row): bool => array_intersect_key($row->metrics, array_flip(self::PHASES)) !== []));
        if ($rows === []) {
            return [];
        }
        $bars = [];
        $series = [];
        $reached = [];
        foreach (self::PHASES as $rank => $key) {
            foreach ($rows as $row) {
                if (isset($row->metrics[$key])) {
                    $series[$key] ??= ['name' => $row->metrics[$key]->title(), 'rank' => $rank, 'dashed' => false];
                    $from = $reached[$row->arm] ?? 0.0;
                    $reached[$row->arm] = $to = $from + $row->metrics[$key]->median;
                    $bars[] = ['series' => count($series) - 1, 'label' => $this->run->armTitle($row->arm), 'from' => $from, 'to' => $to, 'low' => $to, 'high' => $to];
                }
            }
        }
        $title = self::titled('Where the time of a request goes', $workload, $rows[0], $fixed);

        return [Chart::bars($title, 'ms', array_values($series), $bars)];
    }

    /**
     * Fan-out: how long each way of doing it takes.
     *
     * @param list<Row> $rows
     *
     * @return list<Chart>
     */
    private function durations(string $workload, array $rows): array
    {
        $bars = [];
        $rows = array_values(array_filter($rows, static fn (Row $row): bool => isset($row->metrics['elapsed'])));
        $series = $this->series($rows);
        $unit = 'ms';
        foreach ($rows as $row) {
            $elapsed = $row->metrics['elapsed'];
            $unit = $elapsed->unit;
            $bars[] = self::bar($this->index($series, $row->arm), $this->run->armTitle($row->arm), $elapsed);
        }

        return $bars === [] ? [] : [Chart::bars("Elapsed: $workload", $unit, $this->public($series), $bars)];
    }

    /**
     * @param list<Row> $rows
     *
     * @return list<Chart>
     */
    private function timelines(string $workload, array $rows): array
    {
        $charts = [];
        foreach ($rows as $row) {
            if ($row->timeline === []) {
                continue;
            }
            $series = $this->series([$row]);
            $charts[] = Chart::bars(
                "Calls of one request: $workload, {$this->run->armTitle($row->arm)}",
                'ms since the request began',
                $this->public($series),
                array_map(static fn (array $call): array => [
                    'series' => 0, 'label' => $call['label'], 'from' => $call['start'], 'to' => $call['end'], 'low' => $call['end'], 'high' => $call['end'],
                ], $row->timeline),
            );
        }

        return $charts;
    }

    /**
     * Gain against T_io/T_cpu, and what was predicted against what happened.
     *
     * @return list<Chart>
     */
    private function gains(Suite $suite): array
    {
        $rows = array_values(array_filter($suite->rows, static fn (Row $row): bool => isset($row->metrics['gain'], $row->metrics['predicted_gain'])));
        $against = [];
        $agreement = [];
        $series = $this->series($rows);
        $predictions = count($series);
        foreach ($rows as $row) {
            $index = $this->index($series, $row->arm);
            $gain = $row->metrics['gain'];
            $predicted = $row->metrics['predicted_gain'];
            $share = ($row->metrics['t_io'] ?? null)?->ratioTo($row->metrics['t_cpu'] ?? null);
            if ($share !== null) {
                $against[] = self::point($index, $share, $gain);
                $against[] = self::point($predictions, $share, $predicted);
            }
            $agreement[] = self::point($index, $predicted->median, $gain);
        }
        $order = static fn (array $a, array $b): int => $a['x'] <=> $b['x'];
        usort($against, $order);
        usort($agreement, $order);
        $charts = [];
        if (count($against) > 1) {
            $x = array_column($against, 'x');
            $guide = ['name' => 'predicted', 'rank' => $predictions, 'dashed' => true];
            $charts[] = Chart::lines('Gain against T_io/T_cpu', 'T_io/T_cpu', min($x) > 0 && max($x) / min($x) >= 20 ? Chart::LOG : Chart::LINEAR, 'gain, ×', [...$this->public($series), $guide], $against);
        }
        if (count($agreement) > 1) {
            $ends = [min(array_column($agreement, 'x')), max(array_column($agreement, 'x'))];
            foreach ($ends as $end) {
                $agreement[] = ['series' => $predictions, 'x' => $end, 'y' => $end, 'low' => $end, 'high' => $end];
            }
            $guide = ['name' => 'as predicted', 'rank' => $predictions, 'dashed' => true];
            $charts[] = Chart::lines('Predicted against measured gain', 'predicted gain, ×', Chart::LINEAR, 'measured gain, ×', [...$this->public($series), $guide], $agreement);
        }

        return $charts;
    }

    /**
     * The two factors of a gain, side by side.
     *
     * @return list<Chart>
     */
    private static function effects(Suite $suite): array
    {
        $bars = [];
        $series = [];
        $rows = array_values(array_filter($suite->rows, static fn (Row $row): bool => isset($row->metrics['gain_stateful'], $row->metrics['gain_concurrent'])));
        [$fixed] = Tables::parameters($rows);
        foreach ($rows as $row) {
            foreach (['gain_stateful', 'gain_concurrent'] as $index => $key) {
                $metric = $row->metrics[$key];
                $series[$index] = ['name' => $metric->title(), 'rank' => $index, 'dashed' => false];
                $where = $row->describe(array_keys($fixed));
                $bars[] = self::bar($index, preg_replace('/: gain$/', '', $row->workload) . ($where === '' ? '' : ", $where"), $metric);
            }
        }

        return $bars === [] ? [] : [Chart::bars('Gain by its two factors', '×', $series, $bars)];
    }

    /**
     * When nothing was swept: each workload as a multiple of its baseline.
     *
     * @return list<Chart>
     */
    private function ratios(Suite $suite): array
    {
        $series = $this->series($suite->rows);
        $bars = [];
        $titles = [];
        foreach ($suite->rows as $row) {
            $key = array_key_first($row->metrics);
            $ratio = $key === null ? null : $suite->ratio($row, $key);
            if ($key !== null && $ratio !== null) {
                $titles[$row->metrics[$key]->title()] = true;
                $bars[] = ['series' => $this->index($series, $row->arm), 'label' => trim("$row->workload {$row->describe()}"), 'from' => 0.0, 'to' => $ratio, 'low' => $ratio, 'high' => $ratio];
            }
        }
        $used = array_values(array_unique(array_column($bars, 'series')));
        $series = array_map(static fn (int $index): array => $series[$index], $used);
        $bars = array_map(static fn (array $bar): array => ['series' => (int) array_search($bar['series'], $used, true)] + $bar, $bars);

        return $bars === [] ? [] : [Chart::bars(ucfirst(implode(', ', array_keys($titles))) . ' as a multiple of the baseline', '× the baseline', $this->public($series), $bars)];
    }

    /** @param array<string, string> $fixed parameters that are the same in all rows */
    private static function titled(string $what, string $workload, Row $row, array $fixed): string
    {
        $where = $row->describe(array_keys($fixed));

        return "$what: $workload" . ($where === '' ? '' : ", $where");
    }

    /**
     * The setting that most arms share; among those the one with most workers.
     *
     * @param array<Row> $rows
     *
     * @return list<Row>
     */
    private static function fullest(array $rows): array
    {
        $settings = [];
        foreach ($rows as $row) {
            $settings[$row->setting()][] = $row;
        }
        usort($settings, static fn (array $a, array $b): int => [count($b), (int) ($b[0]->parameters['workers'] ?? 0)] <=> [count($a), (int) ($a[0]->parameters['workers'] ?? 0)]);

        return $settings[0] ?? [];
    }

    /**
     * @param array<Row> $rows
     *
     * @return list<array{name: string, rank: int, dashed: bool, arm: string}> the arms in their order
     */
    private function series(array $rows): array
    {
        $arms = array_values(array_unique(array_map(static fn (Row $row): string => $row->arm, $rows)));
        usort($arms, fn (string $a, string $b): int => $this->run->armRank($a) <=> $this->run->armRank($b));

        return array_map(fn (string $arm): array => ['name' => $this->run->armTitle($arm), 'rank' => $this->run->armRank($arm), 'dashed' => false, 'arm' => $arm], $arms);
    }

    /** @param list<array{name: string, rank: int, dashed: bool, arm: string}> $series */
    private function index(array $series, string $arm): int
    {
        return (int) array_search($arm, array_column($series, 'arm'), true);
    }

    /**
     * @param list<array{name: string, rank: int, dashed: bool, arm: string}> $series
     *
     * @return list<array{name: string, rank: int, dashed: bool}>
     */
    private function public(array $series): array
    {
        return array_map(static fn (array $one): array => ['name' => $one['name'], 'rank' => $one['rank'], 'dashed' => $one['dashed']], $series);
    }

    /** @return array{series: int, x: float, y: float, low: float, high: float} */
    private static function point(int $series, float $x, Metric $metric): array
    {
        return ['series' => $series, 'x' => $x, 'y' => $metric->median, 'low' => $metric->low(), 'high' => $metric->high()];
    }

    /** @return array{series: int, label: string, from: float, to: float, low: float, high: float} */
    private static function bar(int $series, string $label, Metric $metric): array
    {
        return ['series' => $series, 'label' => $label, 'from' => 0.0, 'to' => $metric->median, 'low' => $metric->low(), 'high' => $metric->high()];
    }
}
