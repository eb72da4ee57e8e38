<?php

declare(strict_types=1);

namespace Weft\Bench;

/** bench/tools/delay-proxy.c in front of a port. */
final class DelayProxy
{
    private function __construct(private readonly Program $program, public readonly int $port)
    {
    }

    public static function start(Workspace $workspace, int $target, float $milliseconds): self
    {
        $port = $workspace->port();
        $command = [$workspace->compiled('delay-proxy'), (string) $port, (string) $target, (string) ($milliseconds * 1000)];
        $program = Program::start('delay proxy', $command, $workspace->log('delay-proxy'));
        if (!Http::reachable($port, 3.0)) {
            throw new Failure('The delay proxy did not start: ' . Json::excerpt($program->output()));
        }

        return new self($program, $port);
    }

    /**
     * Median round trips of one byte, in microseconds: direct, through the proxy without delay, and with it.
     *
     * @return array{direct: float, without: float, with: float}
     */
    public static function measure(Workspace $workspace, float $milliseconds): array
    {
        $us = Json::decode(Program::must('delay-proxy --measure', [$workspace->compiled('delay-proxy'), '--measure', (string) ($milliseconds * 1000)]));

        return ['direct' => $us->number('direct'), 'without' => $us->number('without'), 'with' => $us->number('with')];
    }

    /**
     * What has passed so far: how often a client spoke after its server had, and connections.
     *
     * @return array{roundTrips: float, connections: float}
     */
    public function counts(): array
    {
        $before = $this->program->printed();
        posix_kill($this->program->pid, SIGUSR1);
        for ($i = 0; $i < 300 && $this->program->printed() === $before; $i++) {
            usleep(10_000);
        }
        $counts = Json::decode($this->program->lastLine());

        return ['roundTrips' => $counts->number('round_trips'), 'connections' => $counts->number('connections')];
    }
}
