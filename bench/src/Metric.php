<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What can be measured: its unit, and which direction is better. A key means the same in every suite. */
final class Metric
{
    public const ALL = [
        'throughput' => ['requests/s', 'higher'],
        'rate' => ['requests/s', 'higher'],
        'time' => ['ms', 'lower'],
        'opening' => ['ms', 'lower'],
        'beyond_sleep' => ['ms', 'lower'],
        'p50' => ['ms', 'lower'],
        'elapsed' => ['ms', 'lower'],
        'slowest' => ['ms', 'lower'],
        'overhead' => ['ms', 'lower'],
        'unloaded_p50' => ['ms', 'lower'],
        'p95' => ['ms', 'lower'],
        'p99' => ['ms', 'lower'],
        'max' => ['ms', 'lower'],
        'cpu' => ['ms/request', 'lower'],
        'pss_idle' => ['MiB', 'lower'],
        'pss_load' => ['MiB', 'lower'],
        'rss_idle' => ['MiB', 'lower'],
        'rss_load' => ['MiB', 'lower'],
        'heap' => ['MiB', 'lower'],
        'private' => ['MiB', 'lower'],
        'memory_each' => ['KiB', 'lower'],
        'descriptors' => ['descriptors', 'lower'],
        'connections' => ['connections', 'lower'],
        'failed' => ['requests', 'lower'],
        'wrong' => ['requests', 'lower'],
        'dropped' => ['requests', 'lower'],
        'requests' => ['requests', 'higher'],
        'hung_up' => ['requests', 'higher'],
        // the phases of a request
        'phase_php' => ['ms/request', 'lower'],
        'phase_sql' => ['ms/request', 'lower'],
        'phase_worker' => ['ms/request', 'lower'],
        // the generator's own
        'lateness' => ['ms', 'lower'],
        'generator_cpu' => ['%', 'lower'],
        // theory
        't_cpu' => ['ms', 'lower'],
        't_io' => ['ms', 'lower'],
        'predicted_n' => ['requests at once', 'higher'],
        'best_n' => ['requests at once', 'higher'],
        'at_once' => ['requests at once', 'higher'],
        'workers' => ['workers', 'lower'],
        'predicted_gain' => ['times', 'higher'],
        'gain' => ['times', 'higher'],
        'prediction_error' => ['%', 'lower'],
        'workers_to_match' => ['workers', 'higher'],
        'gain_stateful' => ['times', 'higher'],
        'gain_concurrent' => ['times', 'higher'],
        // micro
        'nanoseconds' => ['ns', 'lower'],
        'microseconds' => ['µs', 'lower'],
        'kibibytes' => ['KiB', 'lower'],
        'calls' => ['calls', 'lower'],
        // isolation
        'cpu_ratio' => ['times', 'lower'],
        'slots' => ['slots', 'lower'],
        'scan' => ['µs', 'lower'],
        'scans' => ['scans/request', 'lower'],
        'dirty' => ['slots/request', 'lower'],
        'growth_heap' => ['bytes/request', 'lower'],
        'growth_private' => ['bytes/request', 'lower'],
    ];

    /** @return array{unit: string, better: string} */
    public static function describe(string $key): array
    {
        [$unit, $better] = self::ALL[$key] ?? throw new \LogicException("Metric::ALL does not know \"$key\"");

        return ['unit' => $unit, 'better' => $better];
    }
}
