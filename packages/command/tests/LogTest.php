<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * What the server writes while it serves: every record is its own, whatever clients send.
 */
final class LogTest extends TestCase
{
    private const APP = __DIR__ . '/fixtures/app.php';

    private ?ServerProcess $server = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    public function testTheRouteIsTold(): void
    {
        $this->server = $server = new ServerProcess([self::APP, '--port=0', '--workers=1', '--log=json', '--slow=1ms']);
        $server->eventually('it serves', static fn (): bool => str_contains($server->output(), '"addresses"'));
        preg_match('~http://[\d.:]+~', $server->output(), $address);
        Client::get(($address[0] ?? self::fail()) . '/route?name=users.show&ms=20');

        $server->eventually('its line', static fn (): bool => str_contains($server->output(), '"path":"/route"'));
        self::assertMatchesRegularExpression('~"path":"/route",.*"route":"users\.show"~', $server->output());
        self::assertStringContainsString('slow: GET /route, route users.show took ', $server->errors());
    }

    public function testAnExceptionsMessageBeginsNoRecordOfItsOwn(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1']);
        [$status] = Client::get($server->url('/throw?message=' . rawurlencode("first\nweft: worker 1 (7) ended\e[2J\n#0 forged\n[12:00:00] PHP Fatal error:  forged")));
        $server->eventually('the exception is logged', static fn (): bool => str_contains($server->errors(), '{main}'));

        self::assertSame(500, $status);
        self::assertStringContainsString(
            "DomainException: first\n    weft: worker 1 (7) ended\\x1b[2J\n    #0 forged\n    [12:00:00] PHP Fatal error:  forged in ",
            $server->errors(),
        );
        self::assertStringContainsString("\n    Stack trace:\n    #0 ", $server->errors(), 'a trace is still one that can be read');
        self::assertStringNotContainsString("\e", $server->errors());
        self::assertDoesNotMatchRegularExpression('/^(#|\[12:00:00\]|weft: worker 1 \(7\))/m', $server->errors());
    }

    public function testAPathIsOneLineAndItsQueryIsNoneOfTheLogsBusiness(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '-d', 'weft.http_linger_ms=50']);
        Client::get($server->url('/outlive%0A12:00:00%20GET%20/forged?token=secret'));
        Client::get($server->url('/outlive?token=secret'));
        $server->eventually('the coroutine is told about', static fn (): bool => str_contains($server->errors(), 'weft.http_linger_ms'));

        self::assertStringContainsString('weft: GET /outlive: 1 coroutine still ran', $server->errors());
        self::assertStringContainsString(' GET /outlive%0A12:00:00%20GET%20/forged 200 ', $server->output());
        self::assertStringNotContainsString('secret', $server->errors() . $server->output());
    }

    public function testForMachinesEachRecordIsALineOfJson(): void
    {
        $this->server = $server = new ServerProcess([self::APP, '--port=0', '--workers=1', '--log=json']);
        $server->eventually('the server says that it serves', static fn (): bool => str_contains($server->output(), 'addresses'));
        $message = rawurlencode("first\n{\"level\":\"forged\"}\e[2J\xff \xe0\x80\x80 \xed\xa0\x80 \xf0\x80\x80\x80 \xf4\x90\x80\x80 \u{ffff}");
        self::get($server->url("/throw?message=$message"), 'X-Request-Id: of-the-proxy.1');
        self::get($server->url('/forged%22,%22status%22:200?token=secret'), "X-Request-Id: no'id");
        self::get($server->url('/warn'), 'X-Request-Id: third');
        $server->eventually('all are logged', static fn (): bool => substr_count($server->output(), '"path"') === 3 && substr_count($server->errors(), "\n") === 2);

        // root is warned
        $records = array_filter(self::records($server->output()), static fn (array $record): bool => $record['level'] !== 'warning');
        [$start, $failed, $other] = array_values($records);
        self::assertMatchesRegularExpression('/^Weft \S+ serves /', self::text($start, 'message'));
        self::assertSame(['http://' . $server->address()], $start['addresses']);
        self::assertMatchesRegularExpression('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/', self::text($failed, 'time'));
        self::assertSame(
            ['info', '127.0.0.1', 'GET', '/throw', 500, 'of-the-proxy.1'],
            [$failed['level'], $failed['client'], $failed['method'], $failed['path'], $failed['status'], $failed['request_id']],
        );
        self::assertSame('/forged%22,%22status%22:200', $other['path']);
        self::assertIsFloat($other['cpu_ms']);
        self::assertLessThanOrEqual($other['ms'], $other['cpu_ms']);
        self::assertSame(0, $other['queries']);
        self::assertIsFloat($other['query_ms']);
        self::assertIsFloat($other['wait_ms']);
        self::assertMatchesRegularExpression('/^[0-9a-f]{16}$/', self::text($other, 'request_id'), 'what is no name is not taken');
        [$error, $warning] = self::records($server->errors());
        self::assertSame(['warning', 'third'], [$warning['level'], $warning['request_id']]);
        $odd = str_repeat("\u{fffd}", 3);
        self::assertSame(['error', 'of-the-proxy.1', $failed['pid']], [$error['level'], $error['request_id'], $error['pid']]);
        self::assertStringContainsString(
            "DomainException: first\n{\"level\":\"forged\"}\e[2J\u{fffd} $odd $odd $odd\u{fffd} $odd\u{fffd} \u{ffff} in ",
            self::text($error, 'message'),
        );
    }

    public function testWithoutAnAccessLogErrorsAreAsElsewhere(): void
    {
        $this->server = $server = new ServerProcess([self::APP, '--port=0', '--workers=1', '--log=off']);
        $server->eventually('the server says that it serves', static fn (): bool => str_contains($server->output(), '"addresses"'));
        Client::get('http://' . $server->address() . '/warn');
        $server->eventually('the warning is logged', static fn (): bool => str_contains($server->errors(), 'PHP Warning'));

        self::assertMatchesRegularExpression('/^\{"time":.*"level":"warning".*PHP Warning/m', $server->errors());
        self::assertStringNotContainsString('"path"', $server->output(), 'no request is logged');
    }

    public function testNoRequestIsSlowWhenTheTimeIsNone(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '-d', 'weft.http_slow_ms=1', '--slow=0', '--request-timeout=300ms']);

        self::assertSame(504, Client::get($server->url('/spin'))[0]);
        self::assertStringNotContainsString('slow:', $server->errors());
    }

    /**
     * @return iterable<string, array{string}>
     */
    public static function streams(): iterable
    {
        yield 'STDERR' => ['constant'];
        yield 'php://stderr' => ['wrapper'];
    }

    #[DataProvider('streams')]
    public function testForMachinesALineOfTheApplicationsOwnIsARecord(string $stream): void
    {
        $server = $this->serveForMachines();
        $own = '{"message":"of Monolog","context":{"list":[1,-2.5e3,true,null,"\\u00e9\\"{"]},"level_name":"ERROR"}';
        $pieces = ["one\ntwo\n", 'th', "ree\n\n", "$own\n", substr($own, 0, 20), substr($own, 20) . "\r\n", "{\"cut\":1\n", "[1]\n", "\e[2J\xff\n", 'no end'];
        $written = $this->write($pieces, "to=$stream", 'first');

        self::assertSame(array_map(strlen(...), $pieces), $written, 'the application has written what it meant to');
        $server->eventually('all is logged', static fn (): bool => str_contains($server->errors(), 'no end'));
        $lines = explode("\n", rtrim($server->errors()));
        self::assertSame([3 => $own, 4 => $own], array_intersect($lines, [$own]), 'what is JSON is left as it is');
        $records = array_values(array_diff_key(self::records($server->errors()), [3 => 0, 4 => 0]));
        self::assertSame(['one', 'two', 'three', '{"cut":1', '[1]', "\e[2J\u{fffd}", 'no end'], array_column($records, 'message'));
        foreach ($records as $record) {
            self::assertSame(['info', $server->workers()[0], 'first', 'stderr'], [$record['level'], $record['pid'], $record['request_id'], $record['source']]);
        }
    }

    public function testLinesOfRequestsThatRunAtOnceAreEachItsOwns(): void
    {
        $server = $this->serveForMachines();
        $until = 'until=' . rawurlencode($server->file('go'));
        $begun = Client::begin($server->url("/stderr?$until&pieces=" . self::pieces(['begun, '])));
        $server->eventually('it has written', static fn (): bool => $server->events() === ['begin']);
        $this->write(["another's\n"], '', 'second');
        $this->write(["y\n"], 'long=10000', 'third');
        touch($server->file('go'));
        stream_get_contents($begun);
        $server->eventually('all is logged', static fn (): bool => str_contains($server->errors(), 'begun, '));

        $records = self::records($server->errors());
        $expected = ["another's", str_repeat('x', 20_000), 'y', 'begun, '];
        self::assertSame($expected, array_column($records, 'message'), 'what has no end is kept to a limit, and until the end of its request');
        self::assertSame(['second', 'third', 'third'], array_slice(array_column($records, 'request_id'), 0, 3));
        self::assertMatchesRegularExpression('/^[0-9a-f]{16}$/', self::text($records[3], 'request_id'));
    }

    public function testForPeopleTheApplicationsLinesAndPhpsErrorsTellTheirWorkerAndRequest(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1']);
        $this->write(["one\e[2J\n{\"two\":2}\n", 'no end'], 'to=wrapper', 'first');
        self::get($server->url('/warn'), 'X-Request-Id: second');
        $server->eventually('all is logged', static fn (): bool => str_contains($server->errors(), 'of the application'));

        $pid = $server->workers()[0];
        $expected = ["$pid first] one\\x1b[2J", "$pid first] {\"two\":2}", "$pid first] no end", "$pid second] PHP Warning:  a warning of the application in "];
        $pattern = implode('.*\n', array_map(static fn (string $line): string => '\[\d\d:\d\d:\d\d ' . preg_quote($line, '/'), $expected));
        self::assertMatchesRegularExpression("/^$pattern/", $server->errors());
    }

    public function testAProgramThatIsStartedHasItsStandardErrorToItself(): void
    {
        $server = $this->serveForMachines();
        Client::get($server->url('/stderr-of-a-child'));

        $server->eventually('it has written', static fn (): bool => $server->errors() !== '');
        self::assertSame("of a child\n", $server->errors());
    }

    public function testASlowRequestIsToldOf(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '--slow=1ms', '--request-timeout=0.3']);
        Client::get($server->url('/spin'));
        $server->eventually('it is told', static fn (): bool => str_contains($server->errors(), 'slow:'));

        self::assertMatchesRegularExpression('/^weft: slow: GET \/spin took [\d.]+ ms \(--slow\) until 504 was answered: .* ms of CPU/m', $server->errors());
    }

    private function serveForMachines(): ServerProcess
    {
        $this->server = $server = new ServerProcess([self::APP, '--port=0', '--workers=1', '--log=json']);
        $server->eventually('it serves', static fn (): bool => str_contains($server->output(), '"addresses"'));

        return $server;
    }

    /**
     * @param list<string> $pieces
     * @return mixed what the application was told that it has written
     */
    private function write(array $pieces, string $query, string $id): mixed
    {
        $url = $this->server?->url("/stderr?$query&pieces=" . self::pieces($pieces)) ?? self::fail();

        return json_decode(self::get($url, "X-Request-Id: $id"), true);
    }

    /**
     * @param list<string> $pieces
     */
    private static function pieces(array $pieces): string
    {
        return rawurlencode((string) json_encode(array_map(base64_encode(...), $pieces)));
    }

    private static function get(string $url, string $header): string
    {
        return (string) file_get_contents($url, context: stream_context_create(['http' => ['header' => $header, 'ignore_errors' => true]]));
    }

    /**
     * @return list<array<mixed>>
     */
    private static function records(string $log): array
    {
        return array_map(static fn (string $line): array => (array) json_decode($line, true, flags: JSON_THROW_ON_ERROR), explode("\n", rtrim($log)));
    }

    /**
     * @param array<mixed> $record
     */
    private static function text(array $record, string $name): string
    {
        return is_string($record[$name] ?? null) ? $record[$name] : self::fail("no $name in " . json_encode($record));
    }
}
