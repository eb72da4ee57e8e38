<?php

declare(strict_types=1);

namespace Weft\Command\Control;

/**
 * One page of `weft top`: what has changed between two looks at a server's status, and what runs at the second one.
 *
 * @internal
 */
final class TopView
{
    public const WORKER_COLUMNS = ['worker', 'state', 'in flight', 'queued', 'connections', 'requests', 'memory MB'];
    public const REQUEST_COLUMNS = ['seconds', 'worker', 'request', 'method', 'path', 'now'];

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

    public function summary(): string
    {
        $durations = $this->durations();
        $rate = array_sum(array_column($durations, 1)) / $this->seconds;
        $quantile = static fn (float $part): string => self::quantile($durations, $part);

        return sprintf(
            '%s, process %s: %.1f requests/s, half within %s, 99 %% within %s, %.1f failed/s, %.1f refused/s, CPU %.0f %%, %d in flight',
            self::text($this->now['state'] ?? ''),
            self::text($this->now['pid'] ?? ''),
            $rate,
            $quantile(0.5),
            $quantile(0.99),
            $this->grown('server_errors') / $this->seconds,
            $this->grown('refused') / $this->seconds,
            100 * $this->grown('cpu_seconds') / $this->seconds,
            (int) self::number($this->now['in_flight'] ?? 0),
        );
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
            Running::printable((string) ($request['request'] ?? '')),
            Running::printable((string) ($request['method'] ?? '')),
            mb_strimwidth(Running::printable((string) ($request['path'] ?? '')), 0, 60, '…'),
            Running::printable(Running::state($request)),
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
