<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use Closure;
use PHPUnit\Framework\Assert;
use Weft\TestSupport\Program;

/**
 * `bin/weft serve` in a process of its own, on a free port.
 */
final class ServerProcess
{
    private const ROOT = __DIR__ . '/../../..';

    /** Seconds until a wait is given up: far more than anything here takes. */
    private const PATIENCE = 60.0;

    private readonly Program $program;
    private readonly string $directory;

    /**
     * @param list<string> $arguments
     * @param list<string> $before a program that executes what follows
     */
    public function __construct(array $arguments, array $before = [])
    {
        $this->directory = sys_get_temp_dir() . '/weft-test-' . bin2hex(random_bytes(6));
        mkdir($this->directory);
        $command = [...$before, PHP_BINARY, (string) realpath(self::ROOT . '/bin/weft'), 'serve', '--log=text', ...$arguments];
        $this->program = new Program($command, $this->file('out'), $this->file('err'), self::ROOT);
    }

    /**
     * Started, and serving.
     *
     * @param list<string> $arguments
     * @param list<string> $before a program that executes what follows
     */
    public static function serving(string $app, array $arguments = [], array $before = []): self
    {
        $server = new self([$app, '--port=0', ...$arguments], $before);
        $server->eventually('the server says that it serves', static fn (): bool => !$server->runs() || str_contains($server->output(), 'Stop with'));
        Assert::assertTrue($server->runs(), 'The server ended: ' . $server->output() . $server->errors());

        return $server;
    }

    public function file(string $name): string
    {
        return "$this->directory/$name";
    }

    public function pid(): int
    {
        return $this->program->pid;
    }

    public function output(): string
    {
        return $this->program->output();
    }

    public function errors(): string
    {
        return $this->program->errors();
    }

    /**
     * @return list<string> what the application has written to its events file
     */
    public function events(): array
    {
        $lines = is_file($this->file('events')) ? file($this->file('events'), FILE_IGNORE_NEW_LINES) : false;

        return $lines === false ? [] : $lines;
    }

    public function address(): string
    {
        if (preg_match('~http://([^\s"]+)~', $this->output(), $match) !== 1) {
            Assert::fail('No address in: ' . $this->output());
        }

        return $match[1];
    }

    public function url(string $path): string
    {
        return "http://{$this->address()}$path" . (str_contains($path, '?') ? '&' : '?') . 'events=' . rawurlencode($this->file('events'));
    }

    public function runs(): bool
    {
        return $this->program->runs();
    }

    /**
     * Waits for its end.
     */
    public function exitCode(): int
    {
        $this->eventually('the server ends', fn (): bool => !$this->runs());

        return $this->program->status() ?? -1;
    }

    /**
     * Begins requests that end when the file "go" is there, and waits until they run.
     *
     * @return list<resource>
     */
    public function hold(int $count, string $path = '/hold'): array
    {
        $url = $this->url($path . (str_contains($path, '?') ? '&' : '?') . 'until=' . rawurlencode($this->file('go')));
        $sockets = [];
        for ($i = 0; $i < $count; $i++) {
            $sockets[] = Client::begin($url);
        }
        $this->eventually("$count requests run", fn (): bool => count($this->events()) === $count);

        return $sockets;
    }

    public function signal(int $number): void
    {
        $this->program->signal($number);
    }

    public function zygote(): int
    {
        $zygotes = self::childrenOf($this->pid());
        Assert::assertNotSame([], $zygotes);

        return $zygotes[0];
    }

    /**
     * @return list<int> those that boot, and those whose workers drain, included
     */
    public function zygotes(): array
    {
        return array_values(array_filter(
            self::childrenOf($this->pid()),
            static fn (int $pid): bool => in_array(trim((string) @file_get_contents("/proc/$pid/comm")), ['weft-zygote', 'php'], true),
        ));
    }

    /**
     * @return list<int>
     */
    public function workers(): array
    {
        return self::childrenOf($this->zygote());
    }

    /**
     * @return list<int> itself, the zygote, the workers and what they have started
     */
    public function family(): array
    {
        $family = [$this->pid()];
        for ($i = 0; $i < count($family); $i++) {
            array_push($family, ...self::childrenOf($family[$i]));
        }

        return $family;
    }

    /**
     * @param Closure(): bool $condition
     */
    public function eventually(string $what, Closure $condition): void
    {
        $limit = microtime(true) + self::PATIENCE;
        while (!$condition()) {
            if (microtime(true) > $limit) {
                Assert::fail("In vain waited until $what.\n" . $this->output() . $this->errors());
            }
            usleep(5000);
        }
    }

    public static function lives(int $pid): bool
    {
        $stat = @file_get_contents("/proc/$pid/stat");

        return $stat !== false && preg_match('/\) [ZX] /', $stat) !== 1;
    }

    /**
     * Ends everything, whatever state it is in.
     */
    public function destroy(): void
    {
        $this->program->end();
        foreach (glob("$this->directory/*") ?: [] as $file) {
            unlink($file);
        }
        @rmdir($this->directory);
    }

    /**
     * @return list<int>
     */
    private static function childrenOf(int $parent): array
    {
        $children = @file_get_contents("/proc/$parent/task/$parent/children");
        $pids = preg_split('/\s+/', trim((string) $children), -1, PREG_SPLIT_NO_EMPTY);

        return array_map(intval(...), $pids === false ? [] : $pids);
    }
}
