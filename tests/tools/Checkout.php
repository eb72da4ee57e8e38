<?php

declare(strict_types=1);

namespace Weft\Tools\Tests;

use RuntimeException;
use Weft\TestSupport\Program;

/** A checkout that holds tools/ and what a test puts beside it: what the tools make goes below its own var/. */
final class Checkout
{
    public readonly string $path;

    public function __construct()
    {
        $this->path = sys_get_temp_dir() . '/weft-checkout-' . bin2hex(random_bytes(6));
        mkdir($this->path, 0o700);
        $this->command(['cp', '-r', dirname(__DIR__, 2) . '/tools', "$this->path/tools"]);
    }

    public function put(string $path, string $content): void
    {
        $file = "$this->path/$path";
        if (!is_dir(dirname($file))) {
            mkdir(dirname($file), 0o755, true);
        }
        file_put_contents($file, $content);
    }

    /**
     * @param list<string> $command
     * @param array<string, string> $environment
     * @return string what it printed
     */
    public function command(array $command, array $environment = []): string
    {
        [$status, $output] = $this->attempt($command, $environment);
        if ($status !== 0) {
            throw new RuntimeException(implode(' ', $command) . " ended with status $status:\n$output");
        }

        return $output;
    }

    /**
     * @param list<string> $command
     * @param array<string, string> $environment
     * @return array{int, string} its status and what it printed
     */
    public function attempt(array $command, array $environment = []): array
    {
        $output = (string) tempnam(sys_get_temp_dir(), 'weft-out');
        try {
            $program = new Program($command, $output, directory: $this->path, environment: $environment);

            return [$program->wait(), $program->output()];
        } finally {
            unlink($output);
        }
    }

    public function remove(): void
    {
        Program::run(['rm', '-rf', $this->path]);
    }
}
