<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use RuntimeException;

/**
 * `bin/weft serve examples/laravel`, or another application, on a free port, with its output in a file.
 */
final class Server
{
    private const BOOT_SECONDS = 90;
    private const STOP_SECONDS = 20;

    public readonly string $url;
    public readonly string $log;

    /** @var resource|null */
    private $process;

    /**
     * WEFT_SERVE_OPTIONS adds options to every server: `-d weft.stress=7`, say.
     *
     * @param list<string> $options of `weft serve`
     * @param array<string, string> $environment of the application, stronger than its .env
     * @param string|null $application another one than examples/laravel
     */
    public function __construct(array $options = [], array $environment = [], ?string $application = null)
    {
        $root = dirname(__DIR__, 2);
        if (!is_dir("$root/var/test")) {
            mkdir("$root/var/test", recursive: true);
        }
        $this->log = (string) tempnam("$root/var/test", 'weft-');
        $process = proc_open(
            [PHP_BINARY, "$root/bin/weft", 'serve', $application ?? "$root/examples/laravel", '--port=0', ...$options, ...self::furtherOptions()],
            [['file', '/dev/null', 'r'], ['file', $this->log, 'a'], ['file', $this->log, 'a']],
            $pipes,
            $root,
            $environment + getenv(),
        );
        if ($process === false) {
            throw new RuntimeException('bin/weft could not be started.');
        }
        $this->process = $process;
        $this->url = $this->waitForUrl();
    }

    /** @return list<string> */
    private static function furtherOptions(): array
    {
        return preg_split('/ +/', (string) getenv('WEFT_SERVE_OPTIONS'), -1, PREG_SPLIT_NO_EMPTY) ?: [];
    }

    public function __destruct()
    {
        if ($this->process !== null) {
            $this->stop();
        }
    }

    /** The supervisor's number. */
    public function pid(): int
    {
        return $this->process === null ? 0 : proc_get_status($this->process)['pid'];
    }

    /**
     * Everything below the supervisor: the zygote and the workers.
     *
     * @return list<int>
     */
    public function processes(): array
    {
        $found = [];
        $parents = [$this->pid()];
        while ($parents !== []) {
            $parent = array_shift($parents);
            $children = @file_get_contents("/proc/$parent/task/$parent/children");
            foreach (preg_split('/\s+/', (string) $children, -1, PREG_SPLIT_NO_EMPTY) ?: [] as $child) {
                $found[] = $parents[] = (int) $child;
            }
        }

        return $found;
    }

    public function signal(int $signal): void
    {
        // 0 would be this process's own group
        if ($this->pid() > 0) {
            posix_kill($this->pid(), $signal);
        }
    }

    /** Asks it to stop, as Ctrl-C does, and waits. Returns its exit status. */
    public function stop(): int
    {
        $this->signal(SIGTERM);

        return $this->wait();
    }

    public function wait(): int
    {
        if ($this->process === null) {
            return -1;
        }
        $deadline = microtime(true) + self::STOP_SECONDS;
        do {
            $status = proc_get_status($this->process);
            usleep(10_000);
        } while ($status['running'] && microtime(true) < $deadline);
        if ($status['running']) {
            foreach ([...$this->processes(), $status['pid']] as $pid) {
                posix_kill($pid, SIGKILL);
            }
        }
        proc_close($this->process);
        $this->process = null;

        return $status['running'] ? -1 : $status['exitcode'];
    }

    public function output(): string
    {
        return (string) file_get_contents($this->log);
    }

    private function waitForUrl(): string
    {
        $deadline = microtime(true) + self::BOOT_SECONDS;
        do {
            if (preg_match('~http://127\.0\.0\.1:\d+~', $this->output(), $match) === 1) {
                return $match[0];
            }
            usleep(20_000);
        } while ($this->process !== null && proc_get_status($this->process)['running'] && microtime(true) < $deadline);
        $output = $this->output();
        $this->stop();

        throw new RuntimeException("bin/weft did not come up:\n$output");
    }
}
