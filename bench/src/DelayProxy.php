<?php

declare(strict_types=1);

namespace Weft\Bench;

/** bench/tools/delay-proxy.c in front of a port. */
final class DelayProxy
{
    private function __construct(private readonly Process $process, public readonly int $port)
    {
    }

    public static function start(Workspace $workspace, int $target, float $milliseconds): self
    {
        $port = $workspace->port();
        $command = [$workspace->compiled('delay-proxy'), (string) $port, (string) $target, (string) ($milliseconds * 1000)];
        $process = Process::start('delay proxy', $command, $workspace->log('delay-proxy'));
        if (!Http::reachable($port, 3.0)) {
            throw new Failure('The delay proxy did not start: ' . Value::excerpt($process->output()));
        }

        return new self($process, $port);
    }

    /**
     * Median round trips of one byte, in microseconds: direct, through the proxy without delay, and with it.
     *
     * @return array{direct: float, without: float, with: float}
     */
    public static function measure(Workspace $workspace, float $milliseconds): array
    {
        [$status, $output] = Workspace::capture([$workspace->compiled('delay-proxy'), '--measure', (string) ($milliseconds * 1000)]);
        if ($status !== 0) {
            throw new Failure('delay-proxy --measure: ' . Value::excerpt($output));
        }
        $us = Value::decode($output);

        return [
            'direct' => Value::number($us, 'direct', 'p50_us'),
            'without' => Value::number($us, 'proxy_without_delay', 'p50_us'),
            'with' => Value::number($us, 'proxy_with_delay', 'p50_us'),
        ];
    }

    /**
     * What has passed so far: how often a client spoke after its server had, and connections.
     *
     * @return array{roundTrips: float, connections: float}
     */
    public function counts(): array
    {
        $before = substr_count($this->process->output(), "\n");
        posix_kill($this->process->pid, SIGUSR1);
        for ($i = 0; $i < 300 && substr_count($this->process->output(), "\n") === $before; $i++) {
            usleep(10_000);
        }
        $lines = explode("\n", trim($this->process->output()));
        $counts = Value::decode($lines[count($lines) - 1]);

        return ['roundTrips' => Value::number($counts, 'round_trips'), 'connections' => Value::number($counts, 'connections')];
    }

    public function stop(): void
    {
        $this->process->stop();
    }
}
