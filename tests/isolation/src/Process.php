<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use RuntimeException;

/** A program that was started, with its output in a file. */
final class Process
{
    private const STOP_SECONDS = 20;

    /** @var resource|null */
    private $process;

    private int $status = -1;

    /**
     * @param list<string> $command
     * @param array<string, string> $environment
     */
    public function __construct(array $command, private readonly string $log, array $environment = [])
    {
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['file', $log, 'w'], ['file', $log, 'a']], $pipes, null, $environment + getenv());
        if ($process === false) {
            throw new RuntimeException("$command[0] could not be started.");
        }
        $this->process = $process;
    }

    public function __destruct()
    {
        $this->stop();
    }

    public function runs(): bool
    {
        if ($this->process === null) {
            return false;
        }
        $status = proc_get_status($this->process);
        if (!$status['running']) {
            $this->status = $status['signaled'] ? 128 + $status['termsig'] : $status['exitcode'];
            proc_close($this->process);
            $this->process = null;
        }

        return $status['running'];
    }

    /** What it ended with; 128 and more: by a signal. */
    public function status(): int
    {
        return $this->status;
    }

    public function output(): string
    {
        return (string) file_get_contents($this->log);
    }

    public function stop(): void
    {
        if ($this->process === null) {
            return;
        }
        $pid = proc_get_status($this->process)['pid'];
        posix_kill($pid, SIGTERM);
        $deadline = microtime(true) + self::STOP_SECONDS;
        while ($this->runs() && microtime(true) < $deadline) {
            usleep(10_000);
        }
        if ($this->runs()) {
            posix_kill($pid, SIGKILL);
        }
    }
}
