<?php

declare(strict_types=1);

namespace Weft\Bench;

/**
 * A program that runs beside the harness, in a session and process group of its own.
 *
 * Its output goes to a file. It gets SIGTERM when the harness itself dies, however that happens.
 */
final class Process
{
    /** Time a program gets between SIGTERM and SIGKILL. Weft drains for 10 seconds at most. */
    private const GRACE_SECONDS = 15.0;

    /** @var array<int, self> */
    private static array $running = [];

    /** @var resource|null */
    private $handle;

    private ?int $exit = null;

    private function __construct(public readonly string $name, public readonly int $pid, public readonly string $log, mixed $handle)
    {
        $this->handle = is_resource($handle) ? $handle : null;
        self::$running[$pid] = $this;
    }

    /**
     * @param list<string>          $command
     * @param array<string, string> $env
     */
    public static function start(string $name, array $command, string $log, array $env = [], ?string $cwd = null): self
    {
        $wrapped = ['setpriv', '--pdeathsig', 'TERM', 'setsid', ...$command];
        $handle = proc_open($wrapped, [['file', '/dev/null', 'r'], ['file', $log, 'w'], ['file', "$log.err", 'w']], $pipes, $cwd, $env + getenv());
        if ($handle === false) {
            throw new Failure("Could not start $name: " . implode(' ', $command));
        }

        return new self($name, proc_get_status($handle)['pid'], $log, $handle);
    }

    public function isRunning(): bool
    {
        if ($this->handle === null) {
            return false;
        }
        $status = proc_get_status($this->handle);
        if (!$status['running']) {
            $this->exit ??= $status['signaled'] ? 128 + $status['termsig'] : $status['exitcode'];
            $this->forget();
        }

        return $status['running'];
    }

    /** Waits for its own end; null when the time has passed first. */
    public function wait(float $seconds): ?int
    {
        $end = microtime(true) + $seconds;
        while ($this->isRunning()) {
            if (microtime(true) > $end) {
                return null;
            }
            usleep(5000);
        }

        return $this->exit;
    }

    /** Stops it with all it has started, and says what had to be killed. */
    public function stop(int $signal = SIGTERM): ?string
    {
        $family = ProcessTree::of($this->pid);
        if ($this->isRunning()) {
            posix_kill($this->pid, $signal);
            if ($this->wait(self::GRACE_SECONDS) === null) {
                posix_kill(-$this->pid, SIGKILL);
                $this->wait(2.0);
            }
        }
        $left = $family->survivors();
        for ($i = 0; $left !== [] && $i < 40; $i++) {
            usleep(50_000);
            $left = $family->survivors();
        }
        foreach ($left as $pid) {
            posix_kill($pid, SIGKILL);
        }

        return $left === [] ? null : "$this->name left " . count($left) . ' processes behind; they were killed';
    }

    public function output(): string
    {
        return (string) @file_get_contents($this->log) . (string) @file_get_contents("$this->log.err");
    }

    /** Stops them all when the script ends, also by a signal. */
    public static function endWithScript(): void
    {
        register_shutdown_function(self::stopAll(...));
        pcntl_async_signals(true);
        foreach ([SIGTERM, SIGINT] as $signal) {
            pcntl_signal($signal, static fn (): never => exit(128 + $signal));
        }
    }

    public static function stopAll(): void
    {
        foreach (array_reverse(self::$running) as $process) {
            $process->stop();
        }
    }

    private function forget(): void
    {
        unset(self::$running[$this->pid]);
        if ($this->handle !== null) {
            proc_close($this->handle);
            $this->handle = null;
        }
    }
}
