<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Metric;
use Weft\Bench\Row;
use Weft\Bench\Run;
use Weft\Bench\Stats;

/** Finds what is worth drawing. It looks at what rows hold, not at the suite's name. */
final class Charts
{
    /** Parameters that are an axis when they take at least so many values, in the order of preference. */
    private const AXES = ['workers' => 2, 'concurrency' => 3, 'idle' => 3, 'latency_ms' => 3, 'work_us' => 3, 'share_of_capacity' => 2];

    /** What is drawn against such an axis. */
    private const SWEPT = ['throughput', 'p50', 'pss_load', 'memory_each', 'cpu'];

    private const PHASES = ['phase_php', 'phase_sql', 'phase_worker'];

    /** From this ratio between the ends of an axis on. */
    private const LOG_FROM = 20;

    /**
     * @param list<Row> $rows
     *
     * @return list<Chart>
     */
    public static function ofSuite(Run $run, array $rows): array
    {
        $gains = $factors = $ratios = [];
        foreach ($rows as $row) {
            $share = ($row->median('t_io') ?? 0.0) / ($row->median('t_cpu') ?? 1.0);
            foreach (isset($row->metrics['gain'], $row->metrics['predicted_gain']) && $share > 0.0 ? ['gain', 'predicted_gain'] : [] as $key) {
                $gains[] = ['series' => $key === 'gain' ? $run->armTitle($row->arm) : 'predicted', 'x' => $share] + self::point($row->metrics[$key]);
            }
            foreach (isset($row->metrics['gain_stateful'], $row->metrics['gain_concurrent']) ? ['gain_stateful', 'gain_concurrent'] : [] as $key) {
                $factors[] = [
                    'series' => Metric::title($key),
                    'x' => str_replace(': gain', '', $row->workload) . ', ' . ($row->parameters['concurrency'] ?? ''),
                ] + self::point($row->metrics[$key]);
            }
            $key = Metric::sorted($row->metrics)[0] ?? null;
            $ratio = $key === null || $row->baseline === null ? null : $run->ratio($row, $key);
            if ($ratio !== null) {
                $ratios[] = ['series' => $run->armTitle($row->arm), 'x' => $row->workload, 'y' => $ratio];
            }
        }

        return self::drawn([
            self::lines('Gain against T_io/T_cpu', 'T_io/T_cpu', 'gain, ×', $gains, 2),
            new Chart(Chart::BARS, 'Gain by its two factors', '', '×', $factors),
            new Chart(Chart::BARS, 'As a multiple of what it is compared with', '', '×', $ratios),
        ]);
    }

    /**
     * @param non-empty-list<Row> $rows
     *
     * @return list<Chart>
     */
    public static function ofWorkload(Run $run, array $rows): array
    {
        $name = $rows[0]->workload;
        $elapsed = $calls = $phases = $percentiles = [];
        foreach ($rows as $row) {
            $arm = $run->armTitle($row->arm);
            if (isset($row->metrics['elapsed'])) {
                $elapsed[] = ['series' => $arm, 'x' => $arm] + self::point($row->metrics['elapsed']);
            }
            foreach ($row->timeline as $call) {
                $calls[] = ['series' => $arm, 'x' => $call['label'], 'y' => $call['end'], 'from' => $call['start']];
            }
        }
        $fullest = self::fullest($rows);
        foreach ($fullest as $row) {
            $arm = $run->armTitle($row->arm);
            $from = 0.0;
            foreach (self::PHASES as $key) {
                $y = $from + ($row->median($key) ?? 0.0);
                $phases = isset($row->metrics[$key]) ? [...$phases, ['series' => Metric::title($key), 'x' => $arm, 'y' => $y, 'from' => $from]] : $phases;
                $from = $y;
            }
            foreach ($row->distribution() as [$percentile, $milliseconds]) {
                // 100 % is infinitely far to the right.
                $percentiles = $percentile < 100.0 ? [...$percentiles, ['series' => $arm, 'x' => $percentile, 'y' => $milliseconds]] : $percentiles;
            }
        }
        $where = $fullest[0]->describe(array_keys(Tables::parameters($rows)[0]));
        $where = $name . ($where === '' ? '' : ", $where");

        return self::drawn([
            ...self::sweeps($run, $rows),
            new Chart(Chart::LINES, "Distribution of latency: $where", 'percent of requests', 'answered within, ms', $percentiles, 'percentile'),
            new Chart(Chart::BARS, "Where the time of a request goes: $where", '', 'ms', $phases),
            new Chart(Chart::BARS, "Elapsed: $name", '', 'ms', $elapsed),
            new Chart(Chart::BARS, "Calls of one request: $name", '', 'ms since the request began', $calls),
        ]);
    }

    /**
     * @param non-empty-list<Row> $rows
     *
     * @return list<Chart|null>
     */
    private static function sweeps(Run $run, array $rows): array
    {
        $rows = array_values(array_filter($rows, static fn (Row $row): bool => $row->pair === null && !isset($row->metrics['predicted_gain'])));
        foreach (self::AXES as $axis => $least) {
            if (count(array_unique(array_filter(array_map(static fn (Row $row): string => $row->parameters[$axis] ?? '', $rows), is_numeric(...)))) >= $least) {
                return self::sweep($run, $rows, $axis, $least);
            }
        }

        return [];
    }

    /**
     * @param list<Row> $rows
     *
     * @return list<Chart|null>
     */
    private static function sweep(Run $run, array $rows, string $axis, int $least): array
    {
        $fixed = $rows === [] ? [] : array_keys(Tables::parameters($rows)[0]);
        $groups = [];
        foreach ($rows as $row) {
            $groups[$row->describe([$axis, ...$fixed])][] = $row;
        }
        $charts = [];
        $name = strtr(str_replace('_ms', '', $axis), '_', ' ');
        foreach ($groups as $group => $members) {
            foreach (self::SWEPT as $key) {
                $points = [];
                foreach (array_filter($members, static fn (Row $row): bool => isset($row->metrics[$key], $row->parameters[$axis])) as $row) {
                    $points[] = ['series' => $run->armTitle($row->arm), 'x' => (float) $row->parameters[$axis]] + self::point($row->metrics[$key]);
                }
                $title = ucfirst(Metric::title($key)) . " against $name: {$members[0]->workload}" . ($group === '' ? '' : ", $group");
                $charts[] = self::lines($title, str_ends_with($axis, '_ms') ? "$name, ms" : $name, Metric::label($key), $points, $least);
            }
        }

        return $charts;
    }

    /** @param list<array{series: string, x: float, y: float, low?: float, high?: float}> $points */
    private static function lines(string $title, string $x, string $y, array $points, int $least): ?Chart
    {
        usort($points, static fn (array $a, array $b): int => $a['x'] <=> $b['x']);
        $places = array_column($points, 'x');
        if ($places === [] || count(array_unique($places)) < $least) {
            return null;
        }

        return new Chart(Chart::LINES, $title, $x, $y, $points, min($places) > 0 && max($places) / min($places) >= self::LOG_FROM ? 'log' : 'linear');
    }

    /**
     * @param non-empty-list<float> $rounds
     *
     * @return array{y: float, low: float, high: float}
     */
    private static function point(array $rounds): array
    {
        return ['y' => Stats::median($rounds), 'low' => min($rounds), 'high' => max($rounds)];
    }

    /**
     * The setting that most arms share; among those the one with most workers.
     *
     * @param non-empty-list<Row> $rows
     *
     * @return non-empty-list<Row>
     */
    private static function fullest(array $rows): array
    {
        $settings = [];
        foreach ($rows as $row) {
            $settings[$row->setting()][] = $row;
        }
        usort($settings, static fn (array $a, array $b): int => [count($b), (int) ($b[0]->parameters['workers'] ?? 0)] <=> [count($a), (int) ($a[0]->parameters['workers'] ?? 0)]);

        return $settings[0];
    }

    /**
     * @param list<Chart|null> $charts
     *
     * @return list<Chart> those that show something
     */
    private static function drawn(array $charts): array
    {
        return array_values(array_filter($charts, static fn (?Chart $chart): bool => $chart !== null && $chart->data !== []));
    }
}
