<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

use Weft\Bench\Metric;
use Weft\Bench\Noise;
use Weft\Bench\Row;
use Weft\Bench\Run;
use Weft\Bench\Stats;

/** What a run says at a glance: where Weft gave something, where nothing, and what to doubt. */
final class Summary
{
    /** What a workload is about: the first of these that its rows have. Below it what that costs. */
    private const HEADLINES = ['throughput', 'elapsed', 'beyond_sleep', 'time', 'nanoseconds', 'microseconds', 'calls', 'memory_each', 'kibibytes'];
    private const AT_CONSTANT_ARRIVAL = 'p50';
    private const COSTS = ['cpu', 'cpu_server', 'pss_load', 'pss_idle'];

    /** Below this a gain is not worth the name. */
    private const WORTH = 1.1;

    private const ARM = 'weft';

    /** Of each workload Weft against every other arm, at the same settings: the least and the greatest multiple. */
    public static function glance(Run $run): Table
    {
        $lines = [];
        $groups = [];
        foreach ($run->rows() as $row) {
            if ($row->arm === self::ARM) {
                $groups[$run->suites[$row->suite]['title'] ?? $row->suite][$row->workload . ($row->pair === null ? '' : ", $row->pair")][] = $row;
            }
        }
        foreach ($groups as $suite => $workloads) {
            foreach ($workloads as $workload => $rows) {
                foreach (array_keys($run->arms) as $arm) {
                    foreach (self::figures($rows) as $key) {
                        $line = $arm === self::ARM ? null : self::compared($run, $rows, $arm, $key);
                        if ($line !== null) {
                            $lines[] = [$suite, (string) $workload, $run->armTitle($arm), Metric::title($key), ...$line];
                        }
                    }
                }
            }
        }

        return new Table('', ['suite', 'workload', 'Weft against', 'figure', 'multiple', 'verdict'], $lines, 6, 1);
    }

    /** @return list<string> what to keep in mind */
    public static function doubts(Run $run): array
    {
        $doubts = [
            $run->finished === null ? 'This run did not finish: what is missing was not measured.' : '',
            $run->profile === 'quick' ? 'This was a quick run: it shows that everything works, and figures only roughly.' : '',
            $run->busy() === null ? '' : sprintf(
                'The machine was busy with something else when it began (load %s, %s processors): ',
                $run->busy(),
                $run->machine['cores'] ?? 'unknown',
            )
                . 'absolute figures are worth little, ratios more.',
            self::singles($run),
        ];
        foreach ($run->failedChecks() as $name) {
            $doubts[] = rtrim("A check failed, so don't trust what depends on it: $name: {$run->checks[$name]['detail']}", ': ') . '.';
        }
        $skipped = array_filter($run->arms, static fn (array $arm): bool => !in_array($arm['skipped'], [null, Run::UNWANTED], true));
        $doubts[] = $skipped === [] ? '' : 'Not measured: ' . implode(', ', array_column($skipped, 'title')) . ' (see Holes).';
        $failed = count(array_filter($run->holes, static fn (array $hole): bool => !$hole['skipped']));
        $doubts[] = $failed === 0 ? '' : ($failed === 1 ? 'One measurement failed (see Holes).' : "$failed measurements failed (see Holes).");
        $marked = [];
        $met = 0;
        $missed = [];
        foreach ($run->rows() as $row) {
            foreach ($row->marks() as $mark) {
                $kind = (string) preg_replace('/^[\d. ]+%/', '… %', $mark);
                $marked[$kind] = ($marked[$kind] ?? 0) + 1;
            }
            foreach (array_keys($row->metrics) as $key) {
                $reached = $run->meets($row, $key);
                $met += $reached === true ? 1 : 0;
                array_push($missed, ...($reached === false ? [trim("`$row->workload` {$row->describe()}") . ', ' . Metric::title($key)] : []));
            }
        }
        foreach ($marked as $mark => $count) {
            $doubts[] = ($count === 1 ? 'One row is' : "$count rows are") . " marked “{$mark}”.";
        }
        $doubts[] = $missed === [] ? '' : sprintf('Targets: %d met, %d missed: %s.', $met, count($missed), implode('; ', $missed));

        return array_values(array_filter($doubts, static fn (string $doubt): bool => $doubt !== ''));
    }

    /**
     * @param list<Row> $rows
     *
     * @return list<string>
     */
    private static function figures(array $rows): array
    {
        $metrics = array_merge(...array_map(static fn (Row $row): array => $row->metrics, $rows));
        $headlines = $rows[0]->isGiven('throughput') ? [self::AT_CONSTANT_ARRIVAL] : array_slice(array_values(array_intersect(self::HEADLINES, array_keys($metrics))), 0, 1);

        return [...$headlines, ...array_values(array_intersect(self::COSTS, array_keys($metrics)))];
    }

    /**
     * @param list<Row> $rows
     *
     * @return array{string, string}|null
     */
    private static function compared(Run $run, array $rows, string $arm, string $key): ?array
    {
        $ratios = $apart = [];
        foreach ($rows as $row) {
            // Micro benchmarks have one other side each.
            $other = $row->baseline === null || $row->baseline === $arm ? $run->counterpart($row, $arm) : null;
            $ratio = $row->ratio($key, $other);
            if ($other !== null && $ratio !== null && $ratio > 0.0) {
                $ratios[$row->describe()] = $ratio;
                $apart[] = Noise::exceeded($row->metrics[$key], $other->metrics[$key]);
            }
        }
        if ($ratios === []) {
            return null;
        }
        asort($ratios);
        $said = array_values(array_unique([Stats::times(reset($ratios)), Stats::times(end($ratios))]));
        $factors = array_map(static fn (float $ratio): float => Metric::better($key) === Metric::LOWER ? 1 / $ratio : $ratio, $ratios);
        $verdict = match (true) {
            !in_array(true, $apart, true) && in_array(false, $apart, true) => 'within the noise',
            min($factors) >= self::WORTH => 'better',
            max($factors) <= 1 / self::WORTH => 'worse',
            max($factors) < self::WORTH => 'no gain',
            default => 'mixed',
        };

        return [implode(' to ', $said), $verdict . (in_array(false, $apart, true) && in_array(true, $apart, true) ? ', partly within the noise' : '')];
    }

    private static function singles(Run $run): string
    {
        $rounds = [];
        foreach ($run->rows() as $row) {
            $rounds[$row->suite] = max([$rounds[$row->suite] ?? 0, ...array_map(count(...), array_values($row->metrics))]);
        }
        $single = array_keys(array_filter($rounds, static fn (int $most): bool => $most === 1));
        $titles = array_map(static fn (string $suite): string => '“' . ($run->suites[$suite]['title'] ?? $suite) . '”', $single);

        return $single === [] ? '' : (count($single) === count($rounds) ? 'Everything was' : implode(', ', $titles) . ' were')
            . ' measured in a single round: nothing says how far a figure can be trusted.';
    }
}
