<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;

/**
 * Clients that keep their connections, where one worker has more to do than another.
 */
final class BalanceTest extends TestCase
{
    private ?ServerProcess $server = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    public function testAClientWhoseWorkerHasNoTimeForAllIsSentToOneThatIsIdle(): void
    {
        [$pair] = $this->connections();
        touch($this->begin($pair, 'pair'));

        self::assertSame(1, self::toldToClose($pair), 'the first to end leaves, and the other has its worker to itself');
    }

    public function testNobodyIsSentAwayWhenAllWorkersHaveWork(): void
    {
        [$pair, $other] = $this->connections();
        $otherMayEnd = $this->begin([$other], 'other');
        touch($this->begin($pair, 'pair'));

        self::assertSame(0, self::toldToClose($pair));
        touch($otherMayEnd);
        self::assertSame(0, self::toldToClose([$other]));
    }

    public function testAClientThatHasAskedForMoreAlreadyStays(): void
    {
        [$pair] = $this->connections();
        $pairMayEnd = $this->begin($pair, 'pair');
        foreach ($pair as $connection) {
            fwrite($connection, self::request('/'));
        }
        usleep(100_000); // until the bytes are there
        touch($pairMayEnd);

        self::assertSame(0, self::toldToClose($pair));
        self::assertCount(2, array_map(self::answer(...), $pair), 'and has its second answer');
    }

    /** @return array{list<resource>, resource} two that have the same worker, and one that has the other */
    private function connections(): array
    {
        $this->server = ServerProcess::serving(__DIR__ . '/fixtures/balance.php', ['--workers=2']);
        $by = [];
        for ($i = 0; $i < 3; $i++) {
            $connection = stream_socket_client('tcp://' . $this->server->address());
            self::assertIsResource($connection);
            fwrite($connection, self::request('/'));
            $by[preg_replace('/.*"pid":/s', '', self::answer($connection))][] = $connection;
        }
        usort($by, static fn (array $a, array $b): int => count($b) <=> count($a));
        self::assertSame([2, 1], array_map(count(...), $by), 'both workers have got connections');

        return [$by[0], $by[1][0]];
    }

    /**
     * @param list<resource> $connections
     * @return string the file whose presence ends the requests that compute on them
     */
    private function begin(array $connections, string $name): string
    {
        $server = $this->server;
        self::assertNotNull($server);
        $until = $server->file($name);
        foreach ($connections as $connection) {
            fwrite($connection, self::request('/?until=' . rawurlencode($until)));
        }
        $server->eventually('all compute', static fn (): bool => strlen((string) @file_get_contents("$until.begun")) === count($connections));

        return $until;
    }

    private static function request(string $target): string
    {
        return "GET $target HTTP/1.1\r\nHost: test\r\n\r\n";
    }

    /** @param resource $connection */
    private static function answer($connection): string
    {
        $answer = '';
        while (!str_ends_with($answer, '}')) {
            $answer .= $piece = (string) fread($connection, 1);
            self::assertNotSame('', $piece, "the connection ended early: $answer");
        }

        return $answer;
    }

    /** @param list<resource> $connections each with an answer under way */
    private static function toldToClose(array $connections): int
    {
        return count(array_filter(array_map(self::answer(...), $connections), static fn (string $answer): bool => str_contains($answer, "\r\nConnection: close\r\n")));
    }
}
