<?php

declare(strict_types=1);

namespace Weft\TestSupport;

use RuntimeException;
use Symfony\Component\Process\InputStream;
use Symfony\Component\Process\Process;

/**
 * A program that a test starts, in a session of its own and with its output in files: a pipe would fill up, or be kept
 * open by what the program leaves running.
 *
 * Nothing of the session is left when the test lets go of it. When the test's own process is killed, the kernel kills
 * the program.
 */
final class Program
{
    /** Seconds that one is waited for which says nothing of the end: far more than anything takes. */
    private const PATIENCE = 600.0;

    /** Seconds in which one that serves says so. */
    private const START_SECONDS = 90.0;

    /** Seconds in which one that is asked to stop does. */
    private const STOP_SECONDS = 20.0;

    /**
     * The shell only redirects, when its input ends: a short program might be over before its number is asked for. The
     * environment is given again after it, since a shell changes it.
     */
    private const REDIRECTED = 'read -r go; out=$1 err=$2; shift 2; exec < /dev/null; '
        . 'if [ "$out" = "$err" ]; then exec "$@" >> "$out" 2>&1; fi; exec "$@" >> "$out" 2>> "$err"';

    public readonly int $pid;
    private readonly Process $process;
    private bool $ended = false;

    /**
     * @param list<string> $command
     * @param string $output the file that gets what it prints, and without $errors the complaints as well
     * @param string|null $directory where it runs; without one, here
     * @param array<string, string> $environment beside the present one, and stronger
     */
    public function __construct(
        array $command,
        private readonly string $output,
        private readonly ?string $errors = null,
        ?string $directory = null,
        array $environment = [],
    ) {
        $variables = [];
        foreach ($environment + getenv() as $name => $value) {
            $variables[] = "$name=$value";
        }
        $environment = ['env', '-i', ...($directory === null ? [] : ["--chdir=$directory"]), ...$variables];
        $this->process = new Process(
            ['setpriv', '--pdeathsig', 'KILL', 'setsid', 'sh', '-c', self::REDIRECTED, 'sh', $output, $errors ?? $output, ...$environment, ...$command],
            input: $input = new InputStream(),
            timeout: null,
        );
        // the files are there before the shell makes them: who starts it may look into them at once
        array_map(static fn (string $file): int|false => file_put_contents($file, ''), array_unique([$output, $errors ?? $output]));
        $this->process->disableOutput();
        $this->process->start();
        $this->pid = $this->process->getPid() ?? throw new RuntimeException("$command[0] could not be started.");
        $input->close();
        $this->process->isRunning(); // hands it on
    }

    /**
     * Runs it to its end.
     *
     * @param list<string> $command
     * @param array<string, string> $environment
     * @return array{int, string, string} its status, what it printed, and its complaints
     */
    public static function run(array $command, ?string $directory = null, array $environment = []): array
    {
        $files = [(string) tempnam(sys_get_temp_dir(), 'weft-out'), (string) tempnam(sys_get_temp_dir(), 'weft-err')];
        try {
            $program = new self($command, $files[0], $files[1], $directory, $environment);
            $status = $program->wait();
            $program->end();

            return [$status, $program->output(), $program->errors()];
        } finally {
            array_map(unlink(...), $files);
        }
    }

    public function __destruct()
    {
        $this->end();
    }

    public function runs(): bool
    {
        return $this->process->isRunning();
    }

    public function output(): string
    {
        return (string) file_get_contents($this->output);
    }

    public function errors(): string
    {
        return (string) file_get_contents($this->errors ?? $this->output);
    }

    private function everything(): string
    {
        return $this->output() . ($this->errors === null ? '' : $this->errors());
    }

    public function signal(int $number): void
    {
        // one that has been waited for may be another's number now
        if ($this->runs()) {
            posix_kill($this->pid, $number);
        }
    }

    /**
     * Has a process stand still, until SIGCONT. It does when this returns: with the signal alone it may still take what
     * comes next.
     */
    public static function hold(int $pid): void
    {
        posix_kill($pid, SIGSTOP);
        for ($waited = 0; preg_match('/^State:\s+T/m', $status = (string) @file_get_contents("/proc/$pid/status")) !== 1; $waited++) {
            if ($status === '' || $waited > self::PATIENCE * 1000) {
                throw new RuntimeException("Process $pid does not stand still.");
            }
            usleep(1000);
        }
    }

    /**
     * Waits until it has printed something that matches.
     *
     * @return array<string> the match
     */
    public function awaitOutput(string $pattern, float $seconds = self::START_SECONDS): array
    {
        $deadline = microtime(true) + $seconds;
        do {
            $runs = $this->runs() && microtime(true) < $deadline;
            if (preg_match($pattern, $this->output(), $match) === 1) {
                return $match;
            }
            usleep(5000);
        } while ($runs);
        $this->end();

        throw new RuntimeException("{$this->process->getCommandLine()} did not come up:\n{$this->everything()}");
    }

    /** What it ended with; 128 and more: by a signal. Null while it runs. */
    public function status(): ?int
    {
        return $this->runs() ? null : $this->process->getExitCode();
    }

    /** Waits for its end, and returns what it ended with. */
    public function wait(float $seconds = self::PATIENCE): int
    {
        return $this->endsWithin($seconds)
            ? $this->status() ?? -1
            : throw new RuntimeException("{$this->process->getCommandLine()} runs for more than $seconds s:\n{$this->everything()}");
    }

    /** Asks it to stop, as Ctrl-C does, and ends it when it doesn't. Returns its status, null when it had to be ended. */
    public function stop(float $seconds = self::STOP_SECONDS): ?int
    {
        $this->signal(SIGTERM);
        $stopped = $this->endsWithin($seconds);
        $this->end();

        return $stopped ? $this->status() : null;
    }

    /** Ends it and everything in its session, whatever state it is in. */
    public function end(): void
    {
        if ($this->ended) {
            return;
        }
        $this->ended = true;
        // one that starts another while it is being ended has an heir
        while (($members = $this->members()) !== []) {
            foreach ($members as $pid) {
                posix_kill($pid, SIGKILL);
            }
            usleep(1000);
        }
        $this->process->stop(0);
    }

    private function endsWithin(float $seconds): bool
    {
        $deadline = microtime(true) + $seconds;
        while ($this->runs()) {
            if (microtime(true) > $deadline) {
                return false;
            }
            usleep(5000);
        }

        return true;
    }

    /**
     * @return list<int> those of its session that are not dead already
     */
    private function members(): array
    {
        // a number is given to another process when nobody is left in the session of that number
        if (!$this->runs() && is_dir("/proc/$this->pid")) {
            return [];
        }
        $members = [];
        foreach (glob('/proc/[0-9]*/stat') ?: [] as $file) {
            // after the name in brackets: the state, the parent, the group and the session
            $fields = explode(' ', (string) strrchr((string) @file_get_contents($file), ')'));
            if (($fields[4] ?? '') === (string) $this->pid && !in_array($fields[1], ['Z', 'X'], true)) {
                $members[] = (int) basename(dirname($file));
            }
        }

        return $members;
    }
}
