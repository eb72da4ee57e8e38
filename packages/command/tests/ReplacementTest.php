<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * A worker that has reached one of its limits: another takes its place, and no request is lost.
 */
final class ReplacementTest extends TestCase
{
    private ?ServerProcess $server = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    public function testAfterSoManyRequests(): void
    {
        $server = $this->serve(['--max-requests=20']);
        $old = $server->workers()[0];

        self::assertSame([200 => 40], array_count_values(array_column(Client::all(array_fill(0, 40, $server->url('/')), 4), 0)));
        $this->eventuallyReplaced($server, $old, '--max-requests');
    }

    public function testAfterItsTime(): void
    {
        $server = $this->serve(['--max-lifetime=1']);

        $this->eventuallyReplaced($server, $server->workers()[0], '--max-lifetime');
    }

    public function testWhatItHasTakenBesidePhpsHeap(): void
    {
        $server = $this->serve(['--max-memory=16M']);
        $old = $server->workers()[0];

        self::assertSame([200, (string) $old], Client::get($server->url('/?mb=10')));
        self::assertStringNotContainsString('takes its place', $server->errors());
        self::assertSame(200, Client::get($server->url('/?mb=10'))[0]);
        $this->eventuallyReplaced($server, $old, '--max-memory');
    }

    /** @return array<string, array{string}> */
    public static function outlives(): array
    {
        return ['callable' => [__DIR__ . '/fixtures/outlives/callable.php'], 'classic mode' => [__DIR__ . '/fixtures/outlives']];
    }

    #[DataProvider('outlives')]
    public function testWaitsForCoroutinesThatOutliveTheirRequests(string $application): void
    {
        $server = $this->server = ServerProcess::serving($application, ['--workers=1', '--max-requests=1']);
        $old = $server->workers()[0];

        self::assertSame([200, (string) $old], Client::get($server->url('/?work')));
        $server->eventually('it has ended', static fn (): bool => !ServerProcess::lives($old));
        self::assertSame(['the work is done'], $server->events());
    }

    /** Their objects are in the request's own store in classic mode, in more places than the process's has. */
    #[DataProvider('outlives')]
    public function testDoesNotWaitForCoroutinesThatExitDoesNotEnd(string $application): void
    {
        $server = $this->server = ServerProcess::serving($application, ['--workers=1', '--max-requests=1', '-d', 'weft.http_linger_ms=100']);
        $old = $server->workers()[0];

        self::assertSame([200, (string) $old], Client::get($server->url('/?endless=3000')));
        $server->eventually('it has ended', static fn (): bool => !ServerProcess::lives($old));
        self::assertStringNotContainsString('ended with', $server->errors());
        self::assertSame(200, Client::get($server->url('/'))[0]);
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(array $arguments): ServerProcess
    {
        return $this->server = ServerProcess::serving(__DIR__ . '/fixtures/leaks.php', ['--workers=1', '--define=ffi.enable=1', ...$arguments]);
    }

    private function eventuallyReplaced(ServerProcess $server, int $old, string $why): void
    {
        $server->eventually('it has ended', static fn (): bool => !ServerProcess::lives($old));
        self::assertMatchesRegularExpression("/weft: worker 1 \\($old\\) .*\\($why\\); another takes its place/", $server->errors());
        [$status, $pid] = Client::get($server->url('/'));
        self::assertSame(200, $status);
        self::assertNotSame((string) $old, $pid);
    }
}
