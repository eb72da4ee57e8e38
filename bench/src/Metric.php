<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What can be measured. A key means the same in every suite, and tables have columns in this order. */
final class Metric
{
    public const HIGHER = 'higher';
    public const LOWER = 'lower';
    /** A count or a property of which neither more nor less is better. */
    public const NEITHER = 'neither';

    /** Of these a table says once that there were none. */
    public const TROUBLES = ['failed', 'wrong', 'dropped'];

    /** Computed from other figures: a multiple of it says nothing. */
    private const THEORY = 'theory against practice';
    private const LOAD = '';
    private const COST = 'what it costs';
    private const PHASES = 'where the time of a request goes';
    private const PARTS = 'where the memory is';

    /** @var array<string, array{string, string, string, string}> title, unit, which direction is better, the table it belongs to */
    private const ALL = [
        'throughput' => ['throughput', 'requests/s', self::HIGHER, self::LOAD],
        'peak' => ['at its peak', 'requests/s', self::NEITHER, self::LOAD],
        'rate' => ['rate asked for', 'requests/s', self::NEITHER, self::LOAD],
        'p50' => ['P50', 'ms', self::LOWER, self::LOAD],
        'p95' => ['P95', 'ms', self::LOWER, self::LOAD],
        'p99' => ['P99', 'ms', self::LOWER, self::LOAD],
        'unloaded_p50' => ['P50 unloaded', 'ms', self::LOWER, self::LOAD],
        'max' => ['slowest', 'ms', self::LOWER, self::LOAD],
        'failed' => ['failed', '', self::LOWER, self::LOAD],
        'wrong' => ['wrong', '', self::LOWER, self::LOAD],
        'dropped' => ['dropped', '', self::LOWER, self::LOAD],
        'refused' => ['refused with 503', '', self::NEITHER, self::LOAD],
        'served_p50' => ['P50 of those served', 'ms', self::LOWER, self::LOAD],
        'served_p99' => ['P99 of those served', 'ms', self::LOWER, self::LOAD],
        'client_least' => ['answers to the client with the fewest', '', self::HIGHER, self::LOAD],
        'client_most' => ['answers to the client with the most', '', self::NEITHER, self::LOAD],
        'newcomers_p50' => ['P50 of new clients', 'ms', self::LOWER, self::LOAD],
        'newcomers_p99' => ['P99 of new clients', 'ms', self::LOWER, self::LOAD],
        'requests' => ['requests', '', self::NEITHER, self::LOAD],
        'hung_up' => ['hung up on', '', self::NEITHER, self::LOAD],
        'elapsed' => ['elapsed time', 'ms', self::LOWER, self::LOAD],
        'slowest' => ['slowest single call', 'ms', self::NEITHER, self::LOAD],
        'overhead' => ['time over the slowest call', 'ms', self::LOWER, self::LOAD],
        'opening' => ['time to open all', 'ms', self::LOWER, self::LOAD],
        'beyond_sleep' => ['last answer, without the sleep', 'ms', self::LOWER, self::LOAD],
        'time' => ['time', 'ms', self::LOWER, self::LOAD],
        'nanoseconds' => ['time', 'ns', self::LOWER, self::LOAD],
        'microseconds' => ['time', 'µs', self::LOWER, self::LOAD],
        'calls' => ['system calls', '', self::LOWER, self::LOAD],
        'round_trips' => ['round trips', 'per request', self::LOWER, self::LOAD],
        'connects' => ['connections made', 'per request', self::LOWER, self::LOAD],
        'cpu' => ['CPU', 'ms/request', self::LOWER, self::COST],
        'cpu_server' => ['CPU of the server', 'µs/request', self::LOWER, self::COST],
        'cpu_php' => ['CPU of the PHP processes', 'µs/request', self::LOWER, self::COST],
        'cpu_over' => ["CPU over PHP-FPM's", 'µs/request', self::LOWER, self::COST],
        'cpu_ratio' => ['CPU against none', '×', self::LOWER, self::COST],
        'pss_idle' => ['PSS at rest', 'MiB', self::LOWER, self::COST],
        'pss_load' => ['PSS under load', 'MiB', self::LOWER, self::COST],
        'heap' => ['PHP heap', 'MiB', self::LOWER, self::COST],
        'private' => ['private memory', 'MiB', self::LOWER, self::COST],
        'memory_each' => ['memory each', 'KiB', self::LOWER, self::COST],
        'kibibytes' => ['memory', 'KiB', self::LOWER, self::COST],
        'connections' => ['peak connections', '', self::NEITHER, self::COST],
        'descriptors' => ['descriptors', '', self::LOWER, self::COST],
        'growth_heap' => ['growth of the heap', 'bytes/request', self::LOWER, self::COST],
        'growth_private' => ['growth of private memory', 'bytes/request', self::LOWER, self::COST],
        'slots' => ['slots', '', self::NEITHER, self::COST],
        'scan' => ['a scan', 'µs', self::LOWER, self::COST],
        'scans' => ['scans', 'per request', self::LOWER, self::COST],
        'dirty' => ['changed slots', 'per request', self::LOWER, self::COST],
        'phase_php' => ['running PHP', 'ms/request', self::LOWER, self::PHASES],
        'phase_sql' => ['waiting for SQL', 'ms/request', self::LOWER, self::PHASES],
        'phase_worker' => ['waiting for a worker', 'ms/request', self::LOWER, self::PHASES],
        'part_opcache' => ['OPcache', 'MiB', self::LOWER, self::PARTS],
        'part_heap' => ['PHP heap', 'MiB', self::LOWER, self::PARTS],
        'part_malloc' => ['malloc', 'MiB', self::LOWER, self::PARTS],
        'part_written' => ['written library pages', 'MiB', self::LOWER, self::PARTS],
        'part_clean' => ['code and clean pages of files', 'MiB', self::LOWER, self::PARTS],
        'part_other' => ['stacks and the rest', 'MiB', self::LOWER, self::PARTS],
        't_cpu' => ['T_cpu', 'ms', self::NEITHER, self::THEORY],
        't_io' => ['T_io', 'ms', self::NEITHER, self::THEORY],
        'at_once' => ['requests at once', '', self::NEITHER, self::THEORY],
        'best_n' => ['best N found', '', self::NEITHER, self::THEORY],
        'predicted_gain' => ['predicted gain, and best N', '×', self::NEITHER, self::THEORY],
        'gain' => ['gain', '×', self::HIGHER, self::THEORY],
        'prediction_error' => ['error of the prediction', '%', self::NEITHER, self::THEORY],
        'gain_stateful' => ['gain from keeping state', '×', self::HIGHER, self::THEORY],
        'gain_concurrent' => ['gain from concurrency', '×', self::HIGHER, self::THEORY],
        'workers_to_match' => ['blocking workers to match', '', self::NEITHER, self::THEORY],
    ];

    public static function title(string $key): string
    {
        return self::of($key)[0];
    }

    public static function unit(string $key): string
    {
        return self::of($key)[1];
    }

    public static function better(string $key): string
    {
        return self::of($key)[2];
    }

    public static function family(string $key): string
    {
        return self::of($key)[3];
    }

    public static function isTheory(string $key): bool
    {
        return self::family($key) === self::THEORY;
    }

    /** Title and unit. */
    public static function label(string $key): string
    {
        return self::title($key) . (self::unit($key) === '' ? '' : ', ' . self::unit($key));
    }

    /**
     * @param array<string, mixed> $byKey
     *
     * @return list<string> its keys in the order of columns
     */
    public static function sorted(array $byKey): array
    {
        return array_values(array_filter(array_keys(self::ALL), static fn (string $key): bool => isset($byKey[$key])));
    }

    /** @return array{string, string, string, string} */
    private static function of(string $key): array
    {
        return self::ALL[$key] ?? throw new \LogicException("Metric::ALL does not know \"$key\"");
    }
}
