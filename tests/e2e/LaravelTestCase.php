<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PHPUnit\Framework\TestCase;

abstract class LaravelTestCase extends TestCase
{
    /** @var list<Server> */
    private array $servers = [];

    /**
     * Thousands of visitors without cookies leave thousands of sessions, which Laravel sweeps now and then:
     * not in the middle of the next test.
     */
    protected function setUp(): void
    {
        array_map(unlink(...), glob(Example::path() . '/storage/framework/sessions/*') ?: []);
    }

    protected function tearDown(): void
    {
        foreach ($this->servers as $server) {
            if ($this->status()->isFailure() || $this->status()->isError()) {
                fwrite(STDERR, "\n--- " . $this->nameWithDataSet() . ", the server's last lines:\n" . implode('', array_slice(file($server->log) ?: [], -15)));
            }
            $server->stop();
        }
        $this->servers = [];
    }

    /**
     * @param list<string> $options
     * @param array<string, string> $environment
     */
    protected function serve(array $options = ['--workers=1'], array $environment = [], ?string $application = null): Server
    {
        return $this->servers[] = new Server($options, $environment, $application);
    }

    /**
     * Tries again until the check holds, for what happens a moment later.
     *
     * @param callable(): bool $check
     */
    protected function eventually(callable $check, string $message, int $seconds = 15): void
    {
        $deadline = microtime(true) + $seconds;
        while (!$check()) {
            if (microtime(true) > $deadline) {
                self::fail($message);
            }
            usleep(50_000);
        }
        $this->addToAssertionCount(1);
    }
}
