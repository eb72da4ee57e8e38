<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

use RuntimeException;
use Weft\TestSupport\Program;

/** Starts programs on free ports of 127.0.0.1, with what they need below var/extensions, and ends them. */
final class Servers
{
    private const PATIENCE = 20.0;

    /** @var list<Program> */
    private array $programs = [];

    public function __construct(public readonly string $directory, private readonly ?Debian $debian = null)
    {
        is_dir($directory) || mkdir($directory, recursive: true);
    }

    /** A directory that is empty. */
    public function directory(string $name): string
    {
        $directory = "$this->directory/$name";
        if (is_dir($directory)) {
            Program::run(['rm', '-rf', $directory]);
        }
        mkdir($directory, recursive: true);

        return $directory;
    }

    public function write(string $file, string $text, int $mode = 0o644): string
    {
        is_dir(dirname($file)) || mkdir(dirname($file), recursive: true);
        file_put_contents($file, $text);
        chmod($file, $mode);

        return $file;
    }

    public static function freePort(): int
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0') ?: throw new RuntimeException('No free port.');

        return (int) substr((string) strrchr((string) stream_socket_get_name($socket, false), ':'), 1);
    }

    public static function program(string $name): string
    {
        foreach ([...explode(':', (string) getenv('PATH')), '/usr/sbin', '/usr/local/sbin', '/sbin'] as $directory) {
            if (is_executable("$directory/$name")) {
                return "$directory/$name";
            }
        }

        throw new RuntimeException("$name is not installed: tools/setup extensions");
    }

    /**
     * A server that stays in the foreground, until it accepts connections.
     *
     * @param list<string> $command
     * @param array<string, string> $environment
     * @param int|null $port null: it is not waited for
     */
    public function start(array $command, ?int $port, array $environment = []): void
    {
        $log = $this->directory . '/' . basename($command[0]) . '-' . count($this->programs) . '.log';
        $program = new Program($command, $log, directory: $this->directory, environment: $environment);
        $this->programs[] = $program;
        $deadline = microtime(true) + self::PATIENCE;
        while ($port !== null && !self::listens($port)) {
            if (!$program->runs() || microtime(true) > $deadline) {
                throw new RuntimeException("$command[0] did not start: " . substr($program->output(), -1000));
            }
            usleep(20_000);
        }
    }

    private static function listens(int $port): bool
    {
        $socket = @stream_socket_client("tcp://127.0.0.1:$port", $code, $why, 1.0);

        return $socket !== false && fclose($socket);
    }

    /**
     * A script in PHP, with an extension if it needs one.
     *
     * @param list<string> $command
     * @param array<string, string> $environment
     */
    public function php(array $command, ?int $port, array $environment = [], string $extension = ''): void
    {
        $options = $extension === '' ? [] : ['-d', 'extension=' . ($this->debian?->extensions()[$extension]->file ?? $extension)];
        $this->start([PHP_BINARY, '-n', ...$options, ...$command], $port, $environment + ($this->debian?->environment() ?? []));
    }

    /**
     * @param list<string> $command
     * @param array<string, string> $environment
     */
    public function run(array $command, array $environment = []): string
    {
        [$status, $output, $errors] = Program::run($command, $this->directory, $environment);

        return $status === 0 ? $output : throw new RuntimeException("$command[0] failed with status $status: $output$errors");
    }

    public function stop(): void
    {
        array_map(static fn (Program $program) => $program->stop(5.0), array_reverse($this->programs));
        $this->programs = [];
    }
}
