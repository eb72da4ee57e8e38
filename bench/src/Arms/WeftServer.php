<?php

declare(strict_types=1);

namespace Weft\Bench\Arms;

use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Missing;
use Weft\Bench\Process;
use Weft\Bench\ProcessTree;
use Weft\Bench\Server;
use Weft\Bench\Value;
use Weft\Bench\Workspace;

final class WeftServer implements Server
{
    /** The zygote boots the application, warms it and forks. */
    private const START_SECONDS = 60.0;

    private function __construct(private readonly Process $process, private readonly int $port)
    {
    }

    /**
     * @param list<string>          $options
     * @param array<string, string> $env
     */
    public static function start(Workspace $workspace, string $application, int $workers, array $options, array $env): self
    {
        $weft = "$workspace->root/bin/weft";
        if (!is_file($weft)) {
            throw new Missing('bin/weft is not there yet');
        }
        $workspace->extension();
        $port = $workspace->port();
        $command = [PHP_BINARY, $weft, 'serve', $application, '--host=127.0.0.1', "--port=$port", "--workers=$workers", ...$options];
        $process = Process::start('weft serve', $command, $workspace->log("weft-$port"), $env, $workspace->root);
        $end = microtime(true) + self::START_SECONDS;
        while ($process->isRunning() && microtime(true) < $end && !Http::reachable($port, 0.05)) {
            usleep(10_000);
        }
        $self = new self($process, $port);
        try {
            if (!$process->isRunning() || !Http::reachable($port, 0.1)) {
                throw new Failure('not listening');
            }
            if (!ProcessTree::of($process->pid)->listensOn($port)) {
                throw new Failure("port $port is in use by something else");
            }
            Http::get($port, '/hello', self::START_SECONDS);
        } catch (Failure $e) {
            $process->stop();
            throw new Failure('weft serve did not start: ' . $e->getMessage() . ': ' . Value::excerpt($process->output()));
        }

        return $self;
    }

    public function port(): int
    {
        return $this->port;
    }

    public function processes(): ProcessTree
    {
        return ProcessTree::of($this->process->pid);
    }

    /**
     * The workers are the children of the one process that has no listening duty of its own: the zygote, or the
     * supervisor where workers hang below that. Whoever has most children is their parent.
     *
     * @return list<int>
     */
    public function workers(): array
    {
        $children = [];
        foreach ($this->processes()->pids() as $pid) {
            $parent = ProcessTree::parentOf($pid);
            if ($parent !== null) {
                $children[$parent][] = $pid;
            }
        }
        unset($children[getmypid()]);
        // With one worker, supervisor and zygote have one child each: the deepest is the worker.
        krsort($children);
        usort($children, static fn (array $a, array $b): int => count($b) <=> count($a));

        return $children[0] ?? [];
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
