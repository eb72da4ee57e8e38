<?php

declare(strict_types=1);

namespace Weft\Bench\Arms;

use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Process;
use Weft\Bench\ProcessTree;
use Weft\Bench\Server;
use Weft\Bench\Value;
use Weft\Bench\Workspace;

/** A server that one command starts and that listens on a port when it is ready. */
final class CommandServer implements Server
{
    private const START_SECONDS = 60.0;

    private function __construct(private readonly Process $process, private readonly int $port)
    {
    }

    /**
     * @param list<string>          $command
     * @param array<string, string> $env
     */
    public static function start(Workspace $workspace, string $title, array $command, int $port, array $env, string $directory): self
    {
        $process = Process::start($title, $command, $workspace->log("server-$port"), $env, $directory);
        $end = microtime(true) + self::START_SECONDS;
        while ($process->isRunning() && microtime(true) < $end && !Http::reachable($port, 0.05)) {
            usleep(20_000);
        }
        if (!$process->isRunning() || !Http::reachable($port, 0.1)) {
            $reason = $process->isRunning() ? sprintf('not listening after %.0f s', self::START_SECONDS) : 'it ended';
            $process->stop();
            throw new Failure("$title did not start: $reason: " . Value::excerpt($process->output()));
        }
        if (!ProcessTree::of($process->pid)->listensOn($port)) {
            $process->stop();
            throw new Failure("$title did not start: port $port is in use by something else: " . Value::excerpt($process->output()));
        }

        return new self($process, $port);
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
