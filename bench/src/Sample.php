<?php

declare(strict_types=1);

namespace Weft\Bench;

/** One arm under one load, from bench/tools/client.c. Times in milliseconds. */
final class Sample
{
    private const SEED = 20261121;

    private function __construct(
        public readonly float $throughput,
        public readonly float $p50,
        public readonly float $p99,
        public readonly float $pss,
        public readonly float $cpu,
    ) {
    }

    /** @param string $needle what a right answer contains */
    public static function take(Workspace $workspace, Arm $arm, string $path, string $needle, int $connections, float $seconds, float $warmUp): self
    {
        $script = $workspace->write('requests.tsv', "1\t$path\t$needle\n");
        $log = $workspace->log('client');
        $client = Process::start('client', [$workspace->compiled('client'), (string) $arm->port(), (string) $seconds,
            (string) $connections, '0', $script, (string) self::SEED, (string) $warmUp], $log);
        try {
            self::await($client, '{"warm":true}', 40.0 + $warmUp);
            $tree = $arm->processes();
            $before = $tree->cpuSeconds();
            usleep((int) ($seconds * 900_000));
            $pss = $arm->processes()->pss();
            self::await($client, '"p50_ms"', $seconds + 5.0);
            $used = $arm->processes()->cpuSeconds() - $before;
            // It waits for the answers that are still owed, so the next measurement finds the arm at rest.
            if ($client->wait(60.0) !== 0) {
                throw new Failure('under load: ' . Value::excerpt((string) file_get_contents("$log.err")) . ' ' . self::lastLine($client));
            }
        } finally {
            $client->stop();
        }
        $found = Value::decode(self::lastLine($client));
        $requests = Value::number($found, 'ok');
        if ($requests < 1) {
            throw new Failure('under load: no request was answered');
        }

        return new self(
            $requests / Value::number($found, 'seconds'),
            Value::number($found, 'p50_ms'),
            Value::number($found, 'p99_ms'),
            $pss / 1048576,
            1000 * $used / $requests,
        );
    }

    /** @return array<string, float> */
    public function toArray(): array
    {
        return ['requests_per_second' => $this->throughput, 'p50_ms' => $this->p50, 'p99_ms' => $this->p99,
            'pss_mib' => $this->pss, 'cpu_ms_per_request' => $this->cpu];
    }

    private static function await(Process $client, string $text, float $seconds): void
    {
        $end = microtime(true) + $seconds;
        while (!str_contains((string) file_get_contents($client->log), $text)) {
            if (!$client->isRunning() || microtime(true) > $end) {
                throw new Failure('the load client: ' . Value::excerpt($client->output()));
            }
            usleep(2000);
        }
    }

    private static function lastLine(Process $client): string
    {
        $lines = explode("\n", trim((string) file_get_contents($client->log)));

        return end($lines);
    }
}
