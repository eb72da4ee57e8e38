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

    /** The proxy's own cost, in one sentence. */
    public static function overhead(Workspace $workspace, float $milliseconds): string
    {
        [$status, $output] = Workspace::capture([$workspace->compiled('delay-proxy'), '--measure', (string) ($milliseconds * 1000)]);
        if ($status !== 0) {
            throw new Failure('delay-proxy --measure: ' . Value::excerpt($output));
        }
        $us = Value::decode($output);

        return sprintf(
            'Delay proxy, median round trip of one byte: %.0f µs direct, %.0f µs through it without delay, %.0f µs with %s ms each way.',
            Value::number($us, 'direct', 'p50_us'),
            Value::number($us, 'proxy_without_delay', 'p50_us'),
            Value::number($us, 'proxy_with_delay', 'p50_us'),
            $milliseconds,
        );
    }

    public function stop(): void
    {
        $this->process->stop();
    }
}
