<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * The directives of docs/configuration.md in a real server. Those of `weft.pdo_*` are read where the tests of ext/weft/tests/pdo
 * read them; here it is enough that they arrive.
 */
final class DirectivesTest extends TestCase
{
    private const CHANGED = [
        'weft.http_max_request_line' => '300',
        'weft.http_max_header_bytes' => '400',
        'weft.http_max_header_count' => '6',
        'weft.http_header_timeout_ms' => '300',
        'weft.http_body_timeout_ms' => '301',
        'weft.http_idle_timeout_ms' => '302',
        'weft.http_linger_ms' => '50',
        'weft.http_concurrency' => '2',
        'weft.http_hang_up' => 'cancel',
        'weft.http_access_log' => '0',
    ];

    private static ?ServerProcess $server = null;

    public static function setUpBeforeClass(): void
    {
        $directives = [];
        foreach (self::CHANGED as $name => $value) {
            array_push($directives, '-d', "$name=$value");
        }
        self::$server = ServerProcess::serving(__DIR__ . '/fixtures/app.php', ['--workers=1', ...$directives]);
    }

    public static function tearDownAfterClass(): void
    {
        self::$server?->destroy();
        self::$server = null;
    }

    public function testTheManualListsAllOfThemWithTheirDefaults(): void
    {
        preg_match_all('/^\| `(weft\.\w+)` \| `([^`]*)` \|/m', (string) file_get_contents(__DIR__ . '/../../../docs/configuration.md'), $rows);
        $documented = array_combine($rows[1], $rows[2]);
        $known = array_intersect_key(self::CHANGED, $documented) + $documented;
        ksort($known);

        self::assertSame(Client::json(self::server()->url('/directives')), $known);
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function refusals(): iterable
    {
        yield 'weft.http_max_request_line' => ['GET /' . str_repeat('x', 300) . " HTTP/1.1\r\nHost: a\r\n\r\n", '414'];
        yield 'weft.http_max_header_bytes' => ["GET /pid HTTP/1.1\r\nHost: a\r\nX: " . str_repeat('x', 400) . "\r\n\r\n", '431'];
        yield 'weft.http_max_header_count' => ["GET /pid HTTP/1.1\r\nHost: a\r\n" . str_repeat("X: x\r\n", 6) . "\r\n", '431'];
        yield 'weft.http_header_timeout_ms' => ["GET /pid HTTP/1.1\r\n", 'took longer than 300 ms (weft.http_header_timeout_ms)'];
        yield 'weft.http_body_timeout_ms' => ["POST /pid HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx", 'came for 301 ms (weft.http_body_timeout_ms)'];
        // the answer, and then the end
        yield 'weft.http_idle_timeout_ms' => ["GET /pid HTTP/1.1\r\nHost: a\r\n\r\n", 'HTTP/1.1 200 OK'];
    }

    #[DataProvider('refusals')]
    public function testALimitHolds(string $request, string $answer): void
    {
        $socket = self::connect();
        fwrite($socket, $request);

        self::assertStringContainsString($answer, (string) stream_get_contents($socket));
        self::assertTrue(feof($socket), 'The server closes the connection');
    }

    public function testConcurrency(): void
    {
        self::assertStringContainsString('1 worker, 2 requests at once each', self::server()->output());
        $answers = Client::all(array_fill(0, 8, self::server()->url('/sleep?ms=50')), 8);

        self::assertSame(array_fill(0, 8, 200), array_column($answers, 0));
        $running = $most = 0;
        foreach (self::server()->events() as $event) {
            $running += $event === 'begin' ? 1 : -1;
            $most = max($most, $running);
        }
        self::assertSame(2, $most);
    }

    public function testHangUp(): void
    {
        $socket = self::connect();
        fwrite($socket, 'GET /hang-up?events=' . self::server()->file('events') . " HTTP/1.1\r\nHost: a\r\n\r\n");
        self::server()->eventually('it has begun', static fn (): bool => in_array('begin', array_slice(self::server()->events(), -1), true));
        fclose($socket);

        self::server()->eventually('it ends', static fn (): bool => in_array('finally', self::server()->events(), true));
        self::assertSame('finally', array_slice(self::server()->events(), -1)[0] ?? null);
    }

    public function testLinger(): void
    {
        self::assertSame([200, 'answered'], Client::get(self::server()->url('/outlive')));
        self::server()->eventually('the log tells it', static fn (): bool => str_contains(self::server()->errors(), 'ran 50 ms after its end and will be cancelled (weft.http_linger_ms)'));
        $this->addToAssertionCount(1);
    }

    public function testAccessLog(): void
    {
        Client::get(self::server()->url('/pid'));

        self::assertStringNotContainsString('GET /', self::server()->output());
    }

    private static function server(): ServerProcess
    {
        self::assertNotNull(self::$server);

        return self::$server;
    }

    /**
     * @return resource
     */
    private static function connect()
    {
        $socket = stream_socket_client('tcp://' . self::server()->address());
        self::assertIsResource($socket);
        stream_set_timeout($socket, 20);

        return $socket;
    }
}
