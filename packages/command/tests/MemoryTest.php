<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/**
 * The memory of a request and of a worker: who waits for it, and who fails.
 */
final class MemoryTest extends TestCase
{
    private const APP = __DIR__ . '/fixtures/app.php';

    private ?ServerProcess $server = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    public function testRequestsWaitForMemoryInsteadOfFailing(): void
    {
        $server = $this->serve(['--workers=1', '--max-memory=128M', '-d', 'weft.http_memory_wait_ms=600000', '-d', 'weft.http_ready=0']);

        // 100 times 3 MB
        $answers = Client::all(array_fill(0, 200, $server->url('/large?mb=3&ms=20')), 100);

        self::assertSame([200 => 200], array_count_values(array_column($answers, 0)));
        self::assertStringContainsString('requests wait for memory', $server->errors());
    }

    public function testRequestsThatGrowLateWaitForMemoryInsteadOfFailing(): void
    {
        $server = $this->serve(['--workers=1', '--max-memory=128M', '-d', 'weft.http_memory_wait_ms=600000', '-d', 'weft.http_ready=0']);

        // all have begun when the first allocates
        $answers = Client::all(array_fill(0, 100, $server->url('/large?mb=3&before=1000&ms=20')), 100);

        self::assertSame([200 => 100], array_count_values(array_column($answers, 0)));
        self::assertStringContainsString('requests wait for memory', $server->errors());
    }

    #[TestWith(['sleep'])]
    #[TestWith(['usleep'])]
    #[TestWith(['nanosleep'])]
    #[TestWith(['suspend'])]
    public function testRequestsThatLetOthersRunWaitForMemoryInsteadOfFailing(string $yield): void
    {
        $server = $this->serve(['--workers=1', '--max-memory=128M', '-d', 'weft.http_memory_wait_ms=600000', '-d', 'weft.http_ready=0']);
        $running = $server->hold(60, "/large?mb=3&ms=20&yield=$yield");

        touch($server->file('go'));
        $answers = array_map(static fn ($socket): string => (string) stream_get_contents($socket), $running);

        self::assertSame([], array_filter($answers, static fn (string $answer): bool => !str_contains($answer, '"length":')));
        self::assertStringContainsString('requests wait for memory', $server->errors());
    }

    public function testEachRequestHasTheMemoryLimitToItself(): void
    {
        $server = $this->serve(['--workers=1', '--max-memory=1G', '-d', 'memory_limit=64M', '-d', 'weft.retiring_workers=10']);

        // with what the others hold it is 200 MB and more
        for ($round = 1; $round <= 3; $round++) {
            array_map(static fn (string $file): bool => @unlink($server->file($file)), ['go', 'events']);
            $running = $server->hold(5, '/hold?mb=40');
            self::assertSame(500, Client::get($server->url('/large?mb=70'))[0]);
            touch($server->file('go'));
            foreach ($running as $socket) {
                self::assertStringContainsString('"held":true', (string) stream_get_contents($socket));
            }
            self::assertSame($round, substr_count($server->errors(), 'Allowed memory size of 67108864 bytes exhausted'));
        }
    }

    public function testAWorkerHasALimitForAllItsRequests(): void
    {
        $server = $this->serve(['--workers=1', '--max-memory=128M', '-d', 'memory_limit=100M', '-d', 'weft.http_memory_share=0']);
        $running = $server->hold(1, '/hold?mb=80');

        self::assertSame(500, Client::get($server->url('/large?mb=60'))[0]);
        self::assertStringContainsString('Allowed memory size of 134217728 bytes exhausted by the requests of this worker (--max-memory)', $server->errors());
        touch($server->file('go'));
        self::assertStringContainsString('"held":true', (string) stream_get_contents($running[0]));
    }

    public function testALeakKeepsNobodyWaitingForMemory(): void
    {
        $server = $this->serve(['--workers=1', '--max-memory=128M', '-d', 'weft.http_memory_wait_ms=500']);
        $running = $server->hold(1, '/hold?mb=110');

        self::assertSame([200, 'hello'], Client::get($server->url('/')), 'it begins when its time to wait has passed');
        self::assertStringContainsString('requests wait for memory', $server->errors());
        touch($server->file('go'));
        self::assertStringContainsString('"held":true', (string) stream_get_contents($running[0]));
    }

    public function testWhatStaysBesideAnEndlessRequestKeepsNobodyWaitingForMemory(): void
    {
        $server = $this->serve(['--workers=1', '--max-memory=128M', '-d', 'weft.http_memory_wait_ms=100']);
        $running = $server->hold(1, '/hold?mb=110');
        sleep(1); // six times as long makes it an endless one

        self::assertSame([200, 'hello'], Client::get($server->url('/')));
        self::assertStringNotContainsString('requests wait for memory', $server->errors());
        touch($server->file('go'));
        self::assertStringContainsString('"held":true', (string) stream_get_contents($running[0]));
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(array $arguments): ServerProcess
    {
        return $this->server = ServerProcess::serving(self::APP, $arguments);
    }
}
