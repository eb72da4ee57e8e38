<?php

declare(strict_types=1);

namespace Weft\Bench\Broadcast;

use RuntimeException;
use Weft\Bench\ProcessTree;

/** A server that was started, with all its processes. */
final class Running
{
    private const PATIENCE = 30.0;

    /** @var resource */
    private $process;

    /**
     * @param list<string> $command
     * @param array<string, string> $environment
     */
    public function __construct(array $command, int $port, string $log, array $environment = [], ?string $directory = null)
    {
        $raised = ['sh', '-c', 'ulimit -Sn "$(ulimit -Hn)"; exec "$@"', 'sh', ...$command];
        $process = proc_open($raised, [['file', '/dev/null', 'r'], ['file', $log, 'a'], ['file', $log, 'a']], $pipes, $directory, $environment + getenv());
        if (!is_resource($process)) {
            throw new RuntimeException("$command[0] could not be started");
        }
        $this->process = $process;
        $until = microtime(true) + self::PATIENCE;
        while (($socket = @stream_socket_client("tcp://127.0.0.1:$port")) === false) {
            if (microtime(true) > $until || !proc_get_status($process)['running']) {
                $this->stop();
                throw new RuntimeException("it does not listen; its log is $log");
            }
            usleep(50_000);
        }
        fclose($socket);
        sleep(1); // a zygote listens before its workers are there
    }

    public function stop(): void
    {
        if (is_resource($this->process)) {
            proc_terminate($this->process);
            proc_close($this->process);
        }
    }

    /** Seconds of CPU that all processes have had. */
    public function computed(): float
    {
        return $this->processes()->cpuSeconds();
    }

    /** Of memory that the processes share out among them. */
    public function megabytes(): float
    {
        return $this->processes()->pss();
    }

    private function processes(): ProcessTree
    {
        return ProcessTree::of(proc_get_status($this->process)['pid']);
    }
}
