<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use RuntimeException;
use Weft\TestSupport\Program;

/**
 * `bin/weft serve` with the example, or another application, on a free port, with its output in a file.
 */
final class Server
{
    /** For answers that are compared with those of a server that leaves them as they are. */
    public const AS_IT_IS = ['-d', 'weft.http_compress=off'];

    private const STOP_SECONDS = 20;

    public readonly string $url;
    public readonly string $log;

    /** A machine that is slow is no overload, and no page that hangs. */
    private const PATIENCE = ['--request-timeout=120', '-d', 'weft.http_queue_ms=60000'];

    private readonly Program $program;

    /**
     * WEFT_SERVE_OPTIONS adds options to every server: `-d weft.stress=7`, say.
     *
     * @param list<string> $options of `weft serve`
     * @param array<string, string> $environment of the application, stronger than its .env
     * @param string|null $application another one than the example
     */
    public function __construct(array $options = [], array $environment = [], ?string $application = null)
    {
        $root = dirname(__DIR__, 2);
        if (!is_dir("$root/var/test")) {
            mkdir("$root/var/test", recursive: true);
        }
        $this->log = (string) tempnam("$root/var/test", 'weft-');
        $this->program = new Program(
            [PHP_BINARY, "$root/bin/weft", 'serve', '--log=text', $application ?? Example::path(), '--port=0', ...self::PATIENCE, ...$options, ...self::furtherOptions()],
            $this->log,
            directory: $root,
            environment: $environment,
        );
        $this->url = $this->program->awaitOutput('~http://127\.0\.0\.1:\d+~')[0];
    }

    /** @return list<string> */
    private static function furtherOptions(): array
    {
        return preg_split('/ +/', (string) getenv('WEFT_SERVE_OPTIONS'), -1, PREG_SPLIT_NO_EMPTY) ?: [];
    }

    /** The supervisor's number. */
    public function pid(): int
    {
        return $this->program->pid;
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
        $this->program->signal($signal);
    }

    /** Asks it to stop, as Ctrl-C does, and waits. Returns its exit status. */
    public function stop(): int
    {
        return $this->program->stop(self::STOP_SECONDS) ?? -1;
    }

    /** Returns its exit status, -1 when it had to be ended. */
    public function wait(): int
    {
        try {
            return $this->program->wait(self::STOP_SECONDS);
        } catch (RuntimeException) {
            return -1;
        } finally {
            $this->program->end();
        }
    }

    public function output(): string
    {
        return (string) file_get_contents($this->log);
    }
}
