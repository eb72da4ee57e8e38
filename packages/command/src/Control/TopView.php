<?php

declare(strict_types=1);

namespace Weft\Command\Control;

use Weft\Command\Printable;

/**
 * One page of `weft top`: what has changed between two looks at a server's status, and what runs at the second one.
 *
 * @internal
 */
final class TopView
{
    public const WORKER_COLUMNS = ['worker', 'state', 'in flight', 'queued', 'connections', 'requests', 'memory MB'];
    public const REQUEST_COLUMNS = ['seconds', 'worker', 'now', 'method', 'path', 'request'];

    /** Rows of requests. */
    private const REQUESTS = 20;

    /**
     * @param array<mixed> $before status
     * @param array<mixed> $now the same, later
     * @param int $seconds between the two
     */
    public function __construct(
        private readonly array $before,
        private readonly array $now,
        private readonly Running $running,
        private readonly int $seconds,
    ) {
    }

    /**
     * Lines of less than 80 columns.
     *
     * @return list<string>
     */
    public function summary(): array
    {
        $durations = $this->durations();
        $pools = is_array($this->now['pools'] ?? null) ? $this->now['pools'] : [];

        return [
            sprintf(
                '%s, process %s: %d in flight, CPU %.0f %%',
                self::text($this->now['state'] ?? ''),
                self::text($this->now['pid'] ?? ''),
                (int) self::number($this->now['in_flight'] ?? 0),
                100 * $this->grown('cpu_seconds') / $this->seconds,
            ),
            sprintf(
                '%.1f requests/s, half within %s, 99 %% within %s',
                array_sum(array_column($durations, 1)) / $this->seconds,
                self::quantile($durations, 0.5),
                self::quantile($durations, 0.99),
            ),
            sprintf('%.1f failed/s, %.1f refused/s', $this->grown('server_errors') / $this->seconds, $this->grown('refused') / $this->seconds),
            sprintf(
                'database connections: %d idle, %d leased, %d waiting',
                (int) self::number($pools['idle'] ?? 0),
                (int) self::number($pools['leased'] ?? 0),
                (int) self::number($pools['waiting'] ?? 0),
            ),
        ];
    }

    /**
     * @return list<list<string>>
     */
    public function workers(): array
    {
        $rows = [];
        $silent = array_column(array_filter($this->running->workers, static fn (array $worker): bool => !$worker['answers']), 'pid');
        foreach (is_array($this->now['workers'] ?? null) ? $this->now['workers'] : [] as $worker) {
            $worker = is_array($worker) ? $worker : [];
            $rows[] = [
                self::text($worker['pid'] ?? ''),
                in_array($worker['pid'] ?? 0, $silent, true) ? 'does not answer' : self::text($worker['state'] ?? ''),
                self::text($worker['in_flight'] ?? ''),
                self::text($worker['queued'] ?? ''),
                self::text($worker['connections'] ?? ''),
                self::text($worker['requests'] ?? ''),
                sprintf('%.1f', self::number($worker['memory'] ?? 0) / 1024 ** 2),
            ];
        }

        return $rows;
    }

    /**
     * The slowest first.
     *
     * @return list<list<string>>
     */
    public function requests(): array
    {
        $requests = [];
        foreach ($this->running->workers as $worker) {
            foreach ($worker['coroutines'] as $coroutine) {
                if (isset($coroutine['path'])) {
                    $requests[] = ['pid' => $worker['pid'], ...$coroutine];
                }
            }
        }
        usort($requests, static fn (array $a, array $b): int => (int) ($b['age_ms'] ?? 0) <=> (int) ($a['age_ms'] ?? 0));

        return array_map(static fn (array $request): array => [
            sprintf('%.1f', (int) ($request['age_ms'] ?? 0) / 1000),
            (string) $request['pid'],
            // a terminal of 80 columns has all but the last
            Printable::line(Running::state($request)),
            Printable::line((string) ($request['method'] ?? '')),
            mb_strimwidth(Printable::line((string) ($request['path'] ?? '')), 0, 60, '…'),
            Printable::line((string) ($request['request'] ?? '')),
        ], array_slice($requests, 0, self::REQUESTS));
    }

    /**
     * @return list<array{?int, float}> up to so many milliseconds (null: more), so many requests
     */
    private function durations(): array
    {
        $before = self::buckets($this->before);

        return array_map(
            static fn (array $bucket, int $i): array => [$bucket[0], max(0.0, $bucket[1] - ($before[$i][1] ?? 0))],
            self::buckets($this->now),
            array_keys(self::buckets($this->now)),
        );
    }

    /**
     * @param array<mixed> $status
     * @return list<array{?int, float}>
     */
    private static function buckets(array $status): array
    {
        $totals = is_array($status['totals'] ?? null) ? $status['totals'] : [];
        $buckets = [];
        foreach (is_array($totals['durations'] ?? null) ? $totals['durations'] : [] as $bucket) {
            $bucket = is_array($bucket) ? $bucket : [];
            $buckets[] = [is_int($bucket['up_to_ms'] ?? null) ? $bucket['up_to_ms'] : null, self::number($bucket['requests'] ?? 0)];
        }

        return $buckets;
    }

    /**
     * @param list<array{?int, float}> $durations
     */
    private static function quantile(array $durations, float $part): string
    {
        $all = array_sum(array_column($durations, 1));
        $so = 0.0;
        $last = 0;
        foreach ($durations as [$bound, $requests]) {
            $so += $requests;
            if ($all > 0 && $so >= $part * $all) {
                return $bound === null ? "more than $last ms" : "$bound ms";
            }
            $last = $bound ?? $last;
        }

        return '-';
    }

    private function grown(string $total): float
    {
        $of = static fn (array $status): float => self::number(is_array($status['totals'] ?? null) ? $status['totals'][$total] ?? 0 : 0);

        return max(0.0, $of($this->now) - $of($this->before));
    }

    private static function number(mixed $value): float
    {
        return is_int($value) || is_float($value) ? (float) $value : 0.0;
    }

    private static function text(mixed $value): string
    {
        return is_scalar($value) ? (string) $value : '';
    }
}
