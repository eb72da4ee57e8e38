<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Command\Extension;
use Weft\Command\PhpCommandLine;
use Weft\TestSupport\Program;

/**
 * The directives of docs/configuration.md, and those for tests of docs/internals/testing.md, in a real server. Those of `weft.pdo_*` are read where the tests of ext/weft/tests/pdo
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

    private static function manual(): string
    {
        $docs = __DIR__ . '/../../../docs';

        return file_get_contents("$docs/configuration.md") . file_get_contents("$docs/internals/testing.md");
    }

    public function testTheManualListsAllOfThemWithTheirDefaults(): void
    {
        preg_match_all('/^\| `(weft\.\w+)` \| `([^`]*)` \| [^|]+ \|/m', self::manual(), $rows);
        $documented = array_combine($rows[1], $rows[2]);
        $known = array_intersect_key(self::CHANGED, $documented) + $documented;
        ksort($known);

        self::assertSame(Client::json(self::server()->url('/directives')), $known);
    }

    /**
     * @return iterable<string, array{string, string, list<string>, list<string>}> by its name: what must be said of another value, what is refused, what is taken
     */
    public static function ranges(): iterable
    {
        preg_match_all('/^\| `(weft\.\w+)` \| `[^`]*` \| ([^|]+) \|/m', self::manual(), $rows, PREG_SET_ORDER);
        foreach ($rows as [, $name, $allowed]) {
            $refused = ['abc'];
            preg_match_all('/`(\w+)`/', $allowed, $words);
            $taken = $words[1];
            $sentence = implode(' or ', array_map(static fn (string $word): string => "\"$word\"", $words[1]));
            if (preg_match('/(\d+[KMG]?) to (\d+[KMG]?) ?([a-z ]*)$/', $allowed, $range) === 1) {
                [, $least, $most, $unit] = $range;
                $sentence .= ($sentence === '' ? '' : ' or ') . 'a number' . ($unit === '' ? '' : " of $unit") . " from $least to $most";
                array_push($refused, (string) (ini_parse_quantity($least) - 1), (string) (ini_parse_quantity($most) + 1));
                array_push($taken, $least, $most);
            }
            if ($sentence === '') {
                continue; // a list of whatever there is: ext/weft/tests/http/compress-directives.phpt
            }
            yield $name => [$name, "$name must be $sentence, \"%s\" given", $refused, $taken];
        }
    }

    /**
     * @param list<string> $refused
     * @param list<string> $taken
     */
    #[DataProvider('ranges')]
    public function testTheManualSaysWhatIsAllowed(string $name, string $sentence, array $refused, array $taken): void
    {
        foreach ($refused as $value) {
            self::assertStringContainsString(sprintf($sentence, $value), self::said($name, $value));
        }
        foreach ($taken as $value) {
            self::assertSame($value, self::said($name, $value), 'It is taken, without a word');
        }
    }

    /** What a plain script says with this value, and then what the directive is. */
    private static function said(string $name, string $value): string
    {
        $extension = Extension::of(new PhpCommandLine(PHP_BINARY, []))->file();

        return Program::run([
            PHP_BINARY, '-n', '-d', 'display_errors=1', '-d', 'display_startup_errors=1', '-d', 'html_errors=0', '-d', "extension=$extension", '-d', "$name=\"$value\"",
            '-r', 'echo ini_get($argv[1]);', $name,
        ])[1];
    }

    /**
     * @return iterable<string, array{string, string, string}>
     */
    public static function nonsense(): iterable
    {
        yield 'a word' => ['weft.http_idle_timeout_ms', 'abc', 'weft.http_idle_timeout_ms must be a number of milliseconds from 1 to 86400000, "abc" given.'];
        yield 'another' => ['weft.interpose', 'banana', 'weft.interpose must be "0" or "1", "banana" given.'];
        yield 'no header at all' => ['weft.http_max_header_count', '0', 'weft.http_max_header_count must be a number of lines from 1 to 1000, "0" given.'];
        yield 'a stack as large as the machine' => ['weft.stack_size', '100G', 'weft.stack_size must be a number of bytes from 64K to 1G, "100G" given.'];
        yield 'less than nothing' => ['weft.stack_pool', '-5', 'weft.stack_pool must be a number of stacks from 0 to 65536, "-5" given.'];
        yield 'a unit' => ['weft.pdo_idle_time', '5min', 'weft.pdo_idle_time must be a number of seconds from 0 to 31536000, "5min" given.'];
        yield 'no memory' => ['memory_limit', '1M', 'memory_limit must be -1 (none) or at least 8M, "1M" given.'];
        yield 'memory that is no number' => ['memory_limit', 'banana', 'memory_limit must be -1 (none) or at least 8M, "banana" given.'];
    }

    #[DataProvider('nonsense')]
    public function testNonsenseEndsTheStartWithASentence(string $name, string $value, string $sentence): void
    {
        $root = dirname(__DIR__, 3);
        $serve = [PHP_BINARY, "$root/bin/weft", 'serve', '--log=text', __DIR__ . '/fixtures/app.php', '--port=0'];
        [$status, , $errors] = Program::run(['timeout', '60', ...$serve, '-d', "$name=$value"]);

        self::assertSame(1, $status);
        self::assertStringContainsString("the application did not boot: $sentence", $errors);
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
        $told = 'ran 50 ms after its end and will be cancelled (weft.http_linger_ms)';
        self::server()->eventually('the log tells it', static fn (): bool => str_contains(self::server()->errors(), $told));
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
