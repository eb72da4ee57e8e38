<?php

declare(strict_types=1);

namespace Weft\Bench;

/** One server under one load, from bench/tools/load.c: the metrics, the distribution and what to mark the row with. */
final class Sample
{
    /** The generator may notice an arrival so late, at P99; beyond, its own delay is part of the latencies. */
    public const LATE_MS = 5.0;

    /** Part of a processor that the generator may use; beyond, it is what is full. */
    public const BUSY = 0.85;

    /** As in bench/tools/load.c: a closed loop may be so many times as long, and a queue may take so long to pass. */
    private const LONGEST = 4;
    private const QUEUE_SECONDS = 8.0;
    private const MARGIN_SECONDS = 12.0;

    /** Failed requests that are still a measurement, not a broken server: all of them, under overload on purpose. */
    private const WRONG_ALLOWED = 0;

    /**
     * @param array<string, float>     $metrics
     * @param list<array{float, float}> $distribution
     * @param list<string>             $marks
     */
    private function __construct(
        public readonly array $metrics,
        public readonly array $distribution,
        public readonly array $marks,
    ) {
    }

    public static function take(Workspace $workspace, Server $server, Load $load, ?Postgres $database = null): self
    {
        $script = $workspace->write('load.tsv', $load->script());
        $log = $workspace->log('load');
        $generator = Process::start('load', [$workspace->compiled('load'), (string) $server->port(), (string) $load->seconds,
            (string) $load->connections, sprintf('%.3f', $load->rate), $script, (string) $load->warmUp], $log);
        try {
            self::await($generator, '{"warm":true}', self::MARGIN_SECONDS + self::QUEUE_SECONDS + $load->warmUp);
            $before = $server->processes()->cpuSeconds();
            $probe = self::probe($server, $database, $load->seconds);
            self::await($generator, '"p50_ms"', self::MARGIN_SECONDS + max(self::LONGEST * $load->seconds, self::QUEUE_SECONDS) + self::QUEUE_SECONDS);
            if ($generator->wait(5.0) !== 0) {
                throw new Failure('the load generator: ' . Value::excerpt($generator->output()));
            }
        } finally {
            $generator->stop();
        }
        $found = Value::decode(self::lastLine($generator));
        $complaints = (string) file_get_contents("$log.err");
        if (Value::number($found, 'wrong') > self::WRONG_ALLOWED) {
            throw new Failure('a wrong answer under load: ' . Value::excerpt($complaints));
        }
        if (Value::number($found, 'answered') < 1 && !$load->mayOverload) {
            throw new Failure('under load, no request was answered: ' . Value::excerpt($complaints . $server->output()));
        }

        return self::of($found, $probe['used'] - $before, $probe, $load);
    }

    /**
     * @param array<string, float> $metrics
     * @param list<string>         $marks
     */
    public function with(array $metrics, array $marks = []): self
    {
        return new self($metrics + $this->metrics, $this->distribution, [...$this->marks, ...$marks]);
    }

    /** @return list<string> */
    public static function marks(float $lateMs, float $cpuShare, float $failedShare): array
    {
        $marks = [];
        if ($lateMs > self::LATE_MS) {
            $marks[] = sprintf('generator saturated: %.1f ms late at P99', $lateMs);
        }
        if ($cpuShare > self::BUSY) {
            $marks[] = sprintf('generator saturated: %.0f %% of a processor', 100 * $cpuShare);
        }
        if ($failedShare > 0.0) {
            $marks[] = sprintf($failedShare < 0.1 ? '%.2g %% failed or dropped' : '%.0f %% failed or dropped', 100 * $failedShare);
        }

        return $marks;
    }

    /**
     * @param array<mixed>         $found
     * @param array<string, float> $probe
     */
    private static function of(array $found, float $cpu, array $probe, Load $load): self
    {
        $n = static fn (string $key): float => Value::number($found, $key);
        $answered = $n('answered');
        $bad = $n('failed') + $n('dropped');
        $throughput = $answered / max(0.001, $n('seconds'));
        $metrics = [
            'throughput' => $throughput,
            'p50' => $n('p50_ms'), 'p95' => $n('p95_ms'), 'p99' => $n('p99_ms'), 'max' => $n('max_ms'),
            'failed' => $n('failed'), 'dropped' => $n('dropped'), 'wrong' => $n('wrong'),
            'pss_load' => $probe['pss'], 'rss_load' => $probe['rss'],
            'generator_cpu' => 100 * $n('cpu_share'),
        ];
        if ($answered > 0) {
            $metrics['cpu'] = 1000 * $cpu / $load->seconds / $throughput;
        }
        if ($load->rate > 0) {
            $metrics['lateness'] = $n('late_p99_ms');
        }
        if (isset($probe['connections'])) {
            $metrics['connections'] = $probe['connections'];
        }
        if ($n('timed') > 0) {
            $metrics['phase_php'] = max(0.0, $n('app_ms') - $n('db_ms'));
            $metrics['phase_sql'] = $n('db_ms');
            $metrics['phase_worker'] = max(0.0, $n('p50_ms') - $n('app_ms'));
        }
        $distribution = [];
        foreach (is_array($found['distribution'] ?? null) ? $found['distribution'] : [] as $point) {
            if (is_array($point)) {
                $distribution[] = [Value::number($point, '0'), Value::number($point, '1')];
            }
        }

        return new self($metrics, $distribution, self::marks($n('late_p99_ms'), $n('cpu_share'), $bad / max(1.0, $answered + $bad)));
    }

    /**
     * Watches while the load runs: connections again and again, memory and CPU time near the end.
     *
     * @return array<string, float>
     */
    private static function probe(Server $server, ?Postgres $database, float $seconds): array
    {
        $end = microtime(true) + $seconds;
        $found = [];
        while (microtime(true) < $end - 0.3) {
            usleep((int) (max(0.0, min(0.25, $end - 0.3 - microtime(true))) * 1e6));
            if ($database !== null) {
                $found['connections'] = max($found['connections'] ?? 0.0, (float) $database->backends());
            }
        }
        $tree = $server->processes();
        $memory = $tree->memoryOfAll();
        usleep((int) (max(0.0, $end - microtime(true)) * 1e6));

        return $found + ['pss' => $memory['Pss'] / 1048576, 'rss' => $memory['Rss'] / 1048576, 'used' => $server->processes()->cpuSeconds()];
    }

    private static function await(Process $generator, string $text, float $seconds): void
    {
        $end = microtime(true) + $seconds;
        while (!str_contains((string) file_get_contents($generator->log), $text)) {
            if (!$generator->isRunning() || microtime(true) > $end) {
                throw new Failure('the load generator: ' . Value::excerpt($generator->output()));
            }
            usleep(2000);
        }
    }

    private static function lastLine(Process $generator): string
    {
        $lines = explode("\n", trim((string) file_get_contents($generator->log)));

        return end($lines);
    }
}
