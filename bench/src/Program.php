<?php

declare(strict_types=1);

namespace Weft\Bench;

use Symfony\Component\Process\Process;

/**
 * A program that runs beside the harness, in a session of its own. symfony/process runs it; what that cannot do is here:
 * the output goes to files, so that no pipe is full while a measurement waits, stopping takes all descendants along, and
 * it gets SIGTERM when the harness itself dies, however that happens.
 */
final class Program
{
    /** Time between SIGTERM and SIGKILL. Weft drains for 10 seconds at most. */
    private const GRACE_SECONDS = 15.0;

    /** @var array<int, self> */
    private static array $running = [];

    private function __construct(public readonly string $name, public readonly int $pid, public readonly string $log, private readonly Process $process)
    {
    }

    /**
     * @param list<string>          $command
     * @param array<string, string> $env
     */
    public static function start(string $name, array $command, string $log, array $env = [], ?string $directory = null): self
    {
        // Whoever waits for what it prints must not find what another has printed before.
        array_map(static fn (string $file): int|false => @file_put_contents($file, ''), [$log, "$log.err"]);
        $process = new Process(
            ['sh', '-c', 'exec "$@" < /dev/null > "$0" 2> "$0.err"', $log, 'setpriv', '--pdeathsig', 'TERM', 'setsid', ...$command],
            $directory,
            $env,
            timeout: null,
        );
        $process->disableOutput()->start();
        // One that has ended already has no number any more.
        $self = new self($name, $process->getPid() ?? 0, $log, $process);
        if ($self->pid > 0) {
            self::$running[$self->pid] = $self;
        }

        return $self;
    }

    /**
     * Runs a short command to its end.
     *
     * @param list<string>          $command
     * @param array<string, string> $env
     *
     * @return array{int, string} exit status, and output and errors together
     */
    public static function run(array $command, array $env = [], ?string $directory = null): array
    {
        $process = new Process($command, $directory, $env, timeout: null);
        $output = '';
        $status = $process->run(static function (string $type, string $text) use (&$output): void {
            $output .= $text;
        });

        return [$status, $output];
    }

    /**
     * As run(), but anything else than success is a failure that quotes what was said.
     *
     * @param list<string>          $command
     * @param array<string, string> $env
     */
    public static function must(string $name, array $command, array $env = [], ?string $directory = null): string
    {
        [$status, $output] = self::run($command, $env, $directory);

        return $status === 0 ? $output : throw new Failure("$name: status $status: " . Json::excerpt($output));
    }

    /** Where a tool is that a Debian package brings. */
    public static function find(string $name, string $package): string
    {
        foreach ([...explode(':', (string) getenv('PATH')), '/usr/sbin', '/usr/local/sbin', '/sbin'] as $directory) {
            if (is_executable("$directory/$name")) {
                return "$directory/$name";
            }
        }
        throw new Missing("$name is not installed (Debian: $package)");
    }

    public function isRunning(): bool
    {
        return $this->process->isRunning();
    }

    /** Waits for its own end; null when the time has passed first. */
    public function wait(float $seconds): ?int
    {
        $end = microtime(true) + $seconds;
        while ($this->process->isRunning()) {
            if (microtime(true) > $end) {
                return null;
            }
            usleep(5000);
        }
        unset(self::$running[$this->pid]);

        return $this->process->getExitCode();
    }

    /** Waits until it has printed something; a failure when it ends or the time passes first. */
    public function await(string $pattern, float $seconds): string
    {
        $end = microtime(true) + $seconds;
        while (preg_match($pattern, $this->printed(), $match) !== 1) {
            if (!$this->isRunning() || microtime(true) > $end) {
                throw new Failure("$this->name: " . Json::excerpt($this->output()));
            }
            usleep(2000);
        }

        return $match[0];
    }

    /** Stops it with all that it has started, and says what had to be killed. */
    public function stop(int $signal = SIGTERM): ?string
    {
        $family = ProcessTree::of($this->pid);
        if ($this->isRunning()) {
            $this->process->signal($signal);
            if ($this->wait(self::GRACE_SECONDS) === null) {
                posix_kill(-$this->pid, SIGKILL);
            }
        }
        unset(self::$running[$this->pid]);
        for ($i = 0; ($left = $family->survivors()) !== [] && $i < 40; $i++) {
            usleep(50_000);
        }
        foreach ($left as $pid) {
            posix_kill($pid, SIGKILL);
        }

        return $left === [] ? null : "$this->name left " . count($left) . ' processes behind; they were killed';
    }

    public static function stopAll(): void
    {
        foreach (array_reverse(self::$running) as $program) {
            $program->stop();
        }
    }

    /** Without its errors. */
    public function printed(): string
    {
        return (string) @file_get_contents($this->log);
    }

    public function lastLine(): string
    {
        $lines = explode("\n", trim($this->printed()));

        return end($lines);
    }

    public function output(): string
    {
        return $this->printed() . @file_get_contents("$this->log.err");
    }
}
