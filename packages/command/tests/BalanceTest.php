<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/**
 * Clients that keep their connections, where one worker has more to do than another.
 */
final class BalanceTest extends TestCase
{
    /** Of HTTP/2: the head of a frame, those frames that matter here, and the flags. */
    private const HEAD = 9, DATA = 0, HEADERS = 1, GOAWAY = 7, END_STREAM = 1, END_HEADERS = 4;

    private ?ServerProcess $server = null;
    private bool $http2 = false;
    /** @var array<int, int> the last stream of each connection of HTTP/2 */
    private array $streams = [];

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    #[TestWith([false])]
    #[TestWith([true])]
    public function testAClientWhoseWorkerHasNoTimeForAllIsSentToOneThatIsIdle(bool $http2): void
    {
        $this->http2 = $http2;
        [$pair] = $this->connections();
        touch($this->begin($pair, 'pair'));

        self::assertSame(1, $this->toldToClose($pair), 'the first to end leaves, and the other has its worker to itself');
    }

    #[TestWith([false])]
    #[TestWith([true])]
    public function testNobodyIsSentAwayWhenAllWorkersHaveWork(bool $http2): void
    {
        $this->http2 = $http2;
        [$pair, $other] = $this->connections();
        $otherMayEnd = $this->begin([$other], 'other');
        touch($this->begin($pair, 'pair'));

        self::assertSame(0, $this->toldToClose($pair));
        touch($otherMayEnd);
        self::assertSame(0, $this->toldToClose([$other]));
    }

    #[TestWith([false])]
    #[TestWith([true])]
    public function testAClientThatHasAskedForMoreAlreadyStays(bool $http2): void
    {
        $this->http2 = $http2;
        [$pair] = $this->connections();
        $pairMayEnd = $this->begin($pair, 'pair');
        foreach ($pair as $connection) {
            $this->ask($connection, '/');
        }
        usleep(100_000); // until the bytes are there
        touch($pairMayEnd);

        self::assertSame(0, $this->toldToClose($pair));
        self::assertCount(2, array_map($this->answer(...), $pair), 'and has its second answer');
    }

    /** @return array{list<resource>, resource} two that have the same worker, and one that has the other */
    private function connections(): array
    {
        $this->server = $server = ServerProcess::serving(__DIR__ . '/fixtures/balance.php', ['--workers=2']);
        $by = [];
        // three, unless the machine is so busy that one worker takes them all
        for ($i = 0; $i < 20 && (count($by) < 2 || max(array_map(count(...), $by)) < 2); $i++) {
            $connection = stream_socket_client('tcp://' . $server->address());
            self::assertIsResource($connection);
            $this->ask($connection, '/');
            $by[preg_replace('/.*"pid":/s', '', $this->answer($connection)[0])][] = $connection;
        }
        usort($by, static fn (array $a, array $b): int => count($b) <=> count($a));
        self::assertCount(2, $by, 'both workers have got connections');

        return [array_slice($by[0], 0, 2), $by[1][0]];
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
            $this->ask($connection, '/?until=' . rawurlencode($until));
        }
        $server->eventually('all compute', static fn (): bool => strlen((string) @file_get_contents("$until.begun")) === count($connections));

        return $until;
    }

    /** @param resource $connection */
    private function ask($connection, string $target): void
    {
        if (!$this->http2) {
            fwrite($connection, "GET $target HTTP/1.1\r\nHost: test\r\n\r\n");

            return;
        }
        $before = $this->streams[(int) $connection] ?? -1;
        $this->streams[(int) $connection] = $before + 2;
        // the method and the scheme from the static table, the path and the authority as they are
        $fields = "\x82\x86\x04" . chr(strlen($target)) . "$target\x01\x04test";
        $frame = substr(pack('N', strlen($fields)), 1) . pack('CCN', self::HEADERS, self::END_STREAM | self::END_HEADERS, $before + 2) . $fields;
        fwrite($connection, $before < 0 ? "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0$frame" : $frame);
    }

    /**
     * @param resource $connection
     * @return array{string, bool} the answer, and whether its client is told to connect anew
     */
    private function answer($connection): array
    {
        $answer = '';
        if (!$this->http2) {
            while (!str_ends_with($answer, '}')) {
                $answer .= self::read($connection, 1);
            }

            return [$answer, str_contains($answer, "\r\nConnection: close\r\n")];
        }
        $told = false;
        do {
            $head = self::read($connection, self::HEAD);
            [$type, $ends] = [ord($head[3]), (ord($head[4]) & self::END_STREAM) !== 0];
            $payload = self::read($connection, 256 * (256 * ord($head[0]) + ord($head[1])) + ord($head[2]));
            $answer .= $type === self::DATA ? $payload : '';
            $told = $told || $type === self::GOAWAY;
        } while (($type !== self::DATA && $type !== self::HEADERS) || !$ends);

        return [$answer, $told];
    }

    /** @param resource $connection */
    private static function read($connection, int $length): string
    {
        for ($bytes = ''; strlen($bytes) < $length;) {
            $bytes .= $piece = (string) fread($connection, max(1, $length - strlen($bytes)));
            self::assertNotSame('', $piece, "the connection ended early: $bytes");
        }

        return $bytes;
    }

    /** @param list<resource> $connections each with an answer under way */
    private function toldToClose(array $connections): int
    {
        return count(array_filter(array_map($this->answer(...), $connections), static fn (array $answer): bool => $answer[1]));
    }
}
