<?php

declare(strict_types=1);

namespace Weft\Bench;

/** One server under one load, from bench/tools/load.c: the metrics, the distribution and what to mark the row with. */
final class Sample
{
    /** The generator may notice an arrival so late, at P99; beyond, its own delay is part of the latencies. */
    private const LATE_MS = 5.0;

    /** Part of a processor that the generator may use; beyond, it is what is full. */
    private const BUSY = 0.85;

    /** As in bench/tools/load.c: a closed loop may be so many times as long, and a queue may take so long to pass. */
    private const LONGEST = 4;
    private const QUEUE_SECONDS = 8.0;
    private const MARGIN_SECONDS = 12.0;

    private const WARM_UP_SECONDS = 1.0;

    /**
     * @param array<string, float>      $metrics
     * @param list<array{float, float}> $distribution percentile and milliseconds
     * @param list<string>              $marks
     */
    private function __construct(public readonly array $metrics, public readonly array $distribution = [], public readonly array $marks = [])
    {
    }

    /** @param array<string, float> $metrics */
    public static function measured(array $metrics): self
    {
        return new self($metrics);
    }

    /**
     * Each connection sends its next request when it has its answer: peak throughput.
     *
     * @param Page $page        what is asked for
     * @param bool $mayOverload whether it is a result, not a failure, that nobody gets an answer in time
     */
    public static function closed(Workspace $workspace, Server $server, Page $page, int $connections, float $seconds, ?Postgres $database = null, bool $mayOverload = false): self
    {
        return self::take($workspace, $server, $page->line(), $connections, 0.0, $seconds, $database, $mayOverload);
    }

    /** As closed(), of several pages in turn, by whatever protocol. */
    public static function load(Workspace $workspace, Server $server, Load $load, int $connections, float $seconds): self
    {
        return self::take($workspace, $server, $load->script(), $connections, 0.0, $seconds, null, false, $load->perConnection, load: $load);
    }

    /**
     * Requests come when they come: latency.
     *
     * @param string $script lines of Page::line()
     * @param float  $rate   requests a second, whatever the answers
     * @param float  $warmUp seconds of the same load before
     */
    public static function open(
        Workspace $workspace,
        Server $server,
        string $script,
        int $connections,
        float $rate,
        float $seconds,
        ?Postgres $database = null,
        float $warmUp = self::WARM_UP_SECONDS,
    ): self {
        return self::take($workspace, $server, $script, $connections, $rate, $seconds, $database, false, warmUp: $warmUp);
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
        return array_values(array_filter([
            $lateMs > self::LATE_MS ? sprintf('generator saturated: %.1f ms late at P99', $lateMs) : '',
            $cpuShare > self::BUSY ? sprintf('generator saturated: %.0f %% of a processor', 100 * $cpuShare) : '',
            $failedShare > 0.0 ? sprintf($failedShare < 0.1 ? '%.2g %% failed or dropped' : '%.0f %% failed or dropped', 100 * $failedShare) : '',
        ]));
    }

    private static function take(
        Workspace $workspace,
        Server $server,
        string $script,
        int $connections,
        float $rate,
        float $seconds,
        ?Postgres $database,
        bool $mayOverload,
        int $perConnection = 0,
        float $warmUp = self::WARM_UP_SECONDS,
        ?Load $load = null,
    ): self {
        $warmUp = $warmUp > self::WARM_UP_SECONDS ? $warmUp : min($warmUp, $seconds / 3);
        $generator = Program::start('the load generator', [$workspace->compiled('load'), ...($load?->options() ?? []), (string) $server->port, (string) $seconds,
            (string) $connections, sprintf('%.3f', $rate), $workspace->write('load.tsv', $script), (string) $warmUp, '0', (string) $perConnection], $workspace->log('load'));
        try {
            $opening = ($load->gapMs ?? 0) * $connections / 1000;
            $generator->await('/\{"warm":true\}/', self::MARGIN_SECONDS + self::QUEUE_SECONDS + $warmUp + $opening);
            $before = $server->processes()->cpuSeconds();
            $seen = self::watch($server, $database, ($load->once ?? false) ? 0.5 : $seconds);
            $generator->await('/"p50_ms"/', self::MARGIN_SECONDS + max(self::LONGEST * $seconds, self::QUEUE_SECONDS) + self::QUEUE_SECONDS);
            if ($generator->wait(5.0) !== 0) {
                throw new Failure('the load generator: ' . Json::excerpt($generator->output()));
            }
        } finally {
            $generator->stop();
        }
        $found = Json::decode($generator->lastLine());
        $complaints = (string) file_get_contents("$generator->log.err");
        if ($found->number('wrong') > 0.0) {
            throw new Failure('a wrong answer under load: ' . Json::excerpt($complaints));
        }
        if ($found->number('answered') < 1.0 && !$mayOverload) {
            throw new Failure('under load, no request was answered: ' . Json::excerpt($complaints . $server->output()));
        }

        $once = $load->once ?? false;

        // how long those that ask once take is not known beforehand
        return self::of($found, $once ? 0.0 : $seen['cpu'] - $before, array_diff_key($seen, ['cpu' => 0]), $seconds, $rate <= 0.0);
    }

    /** @param array<string, float> $seen */
    private static function of(Json $found, float $cpu, array $seen, float $seconds, bool $closed): self
    {
        $n = $found->number(...);
        $bad = $n('failed') + $n('dropped');
        $throughput = $n('answered') / max(0.001, $n('seconds'));
        $metrics = ['throughput' => $throughput, 'p50' => $n('p50_ms'), 'p95' => $n('p95_ms'), 'p99' => $n('p99_ms'), 'max' => $n('max_ms'),
            'failed' => $n('failed'), 'dropped' => $n('dropped')] + $seen;
        if ($n('refused') > 0.0) {
            $metrics += ['refused' => $n('refused'), 'served_p50' => $n('served_p50_ms'), 'served_p99' => $n('served_p99_ms')];
        }
        if ($closed) {
            $metrics += ['client_least' => $n('client_least'), 'client_most' => $n('client_most')];
        }
        if ($throughput > 0.0 && $cpu > 0.0) {
            $metrics['cpu'] = 1000 * $cpu / $seconds / $throughput;
        }
        if ($n('newcomers') > 0.0) {
            $metrics += ['newcomers_p50' => $n('newcomers_p50_ms'), 'newcomers_p99' => $n('newcomers_p99_ms')];
        }
        if ($n('timed') > 0.0) {
            $metrics['phase_php'] = max(0.0, $n('app_ms') - $n('db_ms'));
            $metrics['phase_sql'] = $n('db_ms');
            $metrics['phase_worker'] = max(0.0, $n('p50_ms') - $n('app_ms'));
        }
        $distribution = array_map(static fn (Json $point): array => [$point->number('0'), $point->number('1')], $found->items('distribution'));

        return new self($metrics, $distribution, self::marks($n('late_p99_ms'), $n('cpu_share'), $bad / max(1.0, $n('answered') + $bad)));
    }

    /**
     * While the load runs: connections again and again, memory and CPU time near the end.
     *
     * @return array{cpu: float, pss_load: float, connections?: float}
     */
    private static function watch(Server $server, ?Postgres $database, float $seconds): array
    {
        $end = microtime(true) + $seconds;
        $found = [];
        while (microtime(true) < $end - 0.3) {
            usleep((int) (max(0.0, min(0.25, $end - 0.3 - microtime(true))) * 1e6));
            if ($database !== null) {
                $found['connections'] = max($found['connections'] ?? 0.0, (float) $database->backends());
            }
        }
        $found['pss_load'] = $server->processes()->pss();
        usleep((int) (max(0.0, $end - microtime(true)) * 1e6));

        return $found + ['cpu' => $server->processes()->cpuSeconds()];
    }
}
