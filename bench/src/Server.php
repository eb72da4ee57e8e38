<?php

declare(strict_types=1);

namespace Weft\Bench;

/** One of the servers under comparison, running: all the programs that it takes. */
final class Server
{
    private const START_SECONDS = 60.0;

    /** @param non-empty-list<Program> $programs */
    private function __construct(public readonly int $port, private readonly array $programs, public readonly Listens $listens)
    {
    }

    /**
     * Starts it and waits until it listens, and not somebody else in its place.
     *
     * @param list<string>          $command
     * @param array<string, string> $env
     * @param list<Program>         $behind  what it stands before, which ends with it
     */
    public static function start(
        Workspace $workspace,
        string $title,
        array $command,
        int $port,
        array $env = [],
        ?string $directory = null,
        array $behind = [],
        Listens $listens = Listens::Http,
    ): self {
        $program = Program::start($title, $command, $workspace->log("server-$port"), $env, $directory ?? $workspace->root);
        $self = new self($port, [$program, ...$behind], $listens);
        $end = microtime(true) + self::START_SECONDS;
        while (!($reachable = Http::reachable($port, 0.05)) && $program->isRunning() && microtime(true) < $end) {
            usleep(20_000);
        }
        $reason = match (true) {
            !$program->isRunning() => 'it ended',
            !$reachable => sprintf('not listening after %.0f s', self::START_SECONDS),
            !$self->processes()->listensOn($port) => "port $port is in use by something else",
            default => null,
        };
        if ($reason !== null) {
            $self->stop();
            throw new Failure("$title did not start: $reason: " . Json::excerpt($self->output()));
        }

        return $self;
    }

    /** All its processes, now. */
    public function processes(): ProcessTree
    {
        return ProcessTree::of(...array_map(static fn (Program $program): int => $program->pid, $this->programs));
    }

    /** What it printed, for the reason of a failure. */
    public function output(): string
    {
        return implode('', array_map(static fn (Program $program): string => $program->output(), $this->programs));
    }

    /** Returns a complaint when something had to be killed. */
    public function stop(): ?string
    {
        $complaints = array_filter(array_map(static fn (Program $program): ?string => $program->stop(), $this->programs));

        return $complaints === [] ? null : implode('; ', $complaints);
    }
}
