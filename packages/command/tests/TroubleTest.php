<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * A worker that a call in C keeps from its loop, and one that a fault ends: the log says in which request and where, and
 * the others are served.
 */
final class TroubleTest extends TestCase
{
    private ?ServerProcess $server = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    public function testAWorkerThatStandsStillIsToldOfReplacedAndEnded(): void
    {
        $server = $this->serve(['--stuck-timeout=10']);
        $old = $server->workers()[0];
        $neighbour = Client::begin($server->url('/nap'));
        $server->eventually('the neighbour runs', fn (): bool => $this->running($server) === 1);
        $stuck = Client::begin($server->url('/stuck?secret'));

        $server->eventually('it is told', static fn (): bool => str_contains($server->errors(), 'has stood still'));
        $where = "request \\w{16}\\)\n +#0 hash_pbkdf2\\(\\)\n +#1 \\S+trouble\\.php\\(\\d+\\) in ";
        $pattern = "{weft: worker 1 \\($old\\) has stood still .*--stuck-timeout.* It runs GET /stuck \\($where}";
        $server->eventually('all of it', static fn (): bool => preg_match($pattern, $server->errors()) === 1);
        $server->eventually('another serves', static fn (): bool => Client::get($server->url('/'))[1] !== (string) $old);
        $server->eventually('it has ended', static fn (): bool => !ServerProcess::lives($old));
        $server->eventually('its end is told', static fn (): bool => str_contains($server->errors(), 'lost with it'));
        $lost = 'lost with it: GET /nap \\(request \\w+, \\d+ ms\\), GET /stuck \\(request';
        self::assertMatchesRegularExpression("{worker 1 \\($old\\) ended with signal 9.*$lost}", $server->errors());
        self::assertStringNotContainsString('secret', $server->errors());
        self::assertSame('', (string) stream_get_contents($stuck) . stream_get_contents($neighbour));
        self::assertSame(1, $this->restarts($server, 'stuck'));
        self::assertSame(0, $this->restarts($server, 'died'));
    }

    public function testAWorkerThatComesBackAnswers(): void
    {
        $server = $this->serve(['--stuck-timeout=20']);
        [$worker] = $server->workers();
        $fifo = $server->file('fifo');
        self::assertTrue(posix_mkfifo($fifo, 0o600));
        $waits = Client::begin($server->url('/opens?file=' . rawurlencode($fifo)));
        $server->eventually('it is told', static fn (): bool => str_contains($server->errors(), 'has stood still'));

        // which lets it go on
        $writer = fopen($fifo, 'w');

        self::assertStringStartsWith('HTTP/1.1 200', (string) stream_get_contents($waits));
        self::assertIsResource($writer);
        $server->eventually('another serves', static fn (): bool => Client::get($server->url('/'))[1] !== (string) $worker);
        self::assertStringNotContainsString('ended with', $server->errors());
    }

    public function testWhoComputesInPhpIsNotStuck(): void
    {
        $server = $this->serve(['--stuck-timeout=20', '-d', 'weft.time_slice=0', '--request-timeout=0', '-d', 'max_execution_time=0']);
        [$worker] = $server->workers();

        self::assertSame([200, (string) $worker], Client::get($server->url('/computes?seconds=4')));
        self::assertStringNotContainsString('stood still', $server->errors());
        self::assertSame([$worker], $server->workers());
    }

    /**
     * @return iterable<array{int, string}>
     */
    public static function faults(): iterable
    {
        yield [SIGSEGV, 'SIGSEGV'];
        yield [SIGABRT, 'SIGABRT'];
    }

    #[DataProvider('faults')]
    public function testAFaultSaysWhichRequestAndWhere(int $signal, string $name): void
    {
        $server = $this->serve([]);
        $old = $server->workers()[0];

        self::assertSame(0, Client::get($server->url("/crash?signal=$signal"))[0]);

        $server->eventually('its end is told', static fn (): bool => str_contains($server->errors(), 'lost with it'));
        self::assertMatchesRegularExpression(
            "{weft: worker 1 \\($old\\) dies of $name\\. It runs GET /crash \\(request \\w{16}\\)\n +#0 raise\\(\\)\n +#1 \\S+trouble\\.php\\(\\d+\\) in }",
            $server->errors(),
        );
        self::assertMatchesRegularExpression("{worker 1 \\($old\\) ended with signal $signal .*lost with it: GET /crash \\(request}", $server->errors());
        self::assertSame(200, Client::get($server->url('/'))[0]);
        self::assertSame(1, $this->restarts($server, 'died'));
    }

    public function testAStackThatIsUsedUpIsToldAsSuch(): void
    {
        $server = $this->serve([]);

        self::assertSame(0, Client::get($server->url('/deep'))[0]);

        $server->eventually('its end is told', static fn (): bool => str_contains($server->errors(), 'lost with it'));
        self::assertMatchesRegularExpression(
            "{dies of SIGSEGV: its stack is used up.* It runs GET /deep .*\n +#0 \\S+trouble\\.php\\(\\d+\\) in unnest\\(\\)}",
            $server->errors(),
        );
    }

    public function testShutdownFunctionsRunAfterManyFatalErrorsAtOnce(): void
    {
        $server = $this->serve([]);
        $file = $server->file('shutdowns');
        $answers = Client::all(array_fill(0, 40, $server->url('/fatal?file=' . rawurlencode($file))), 40);

        self::assertSame([500 => 40], array_count_values(array_column($answers, 0)));
        $server->eventually('all have run', static fn (): bool => (string) @file_get_contents($file) === str_repeat("shutdown\n", 40));
        self::assertSame(200, Client::get($server->url('/'))[0]);
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(array $arguments): ServerProcess
    {
        return $this->server = ServerProcess::serving(__DIR__ . '/fixtures/trouble.php', ['--workers=1', '--admin=127.0.0.1:0', '--define=ffi.enable=1', ...$arguments]);
    }

    private function running(ServerProcess $server): int
    {
        return $this->metric($server, 'weft_requests_in_flight');
    }

    private function restarts(ServerProcess $server, string $cause): int
    {
        return $this->metric($server, "weft_worker_restarts_total{cause=\"$cause\"}");
    }

    private function metric(ServerProcess $server, string $name): int
    {
        preg_match('~http://\S+/metrics~', $server->output(), $address);
        $metrics = Client::get($address[0] ?? self::fail('It tells no address.'))[1];
        preg_match('/^' . preg_quote($name, '/') . ' (\d+)$/m', $metrics, $match);

        return (int) ($match[1] ?? self::fail($metrics));
    }
}
