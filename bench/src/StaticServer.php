<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A process that is known to listen: for measuring the harness itself. */
final class StaticServer implements Server
{
    public function __construct(private readonly Process $process, private readonly int $port)
    {
    }

    public function port(): int
    {
        return $this->port;
    }

    public function processes(): ProcessTree
    {
        return ProcessTree::of($this->process->pid);
    }

    public function output(): string
    {
        return $this->process->output();
    }

    public function stop(): ?string
    {
        return $this->process->stop();
    }
}
