<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

/**
 * The admin address: how the server does, for Prometheus and for load balancers.
 */
final class MetricsTest extends TestCase
{
    private const APP = __DIR__ . '/fixtures/app.php';

    private ?ServerProcess $server = null;
    private ?Releases $releases = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
        $this->releases?->remove();
    }

    public function testWhatWasAnsweredIsCountedWhoeverHasAnswered(): void
    {
        $this->releases = new Releases();
        $this->server = $server = ServerProcess::serving($this->releases->app(), ['--workers=2', '--admin=127.0.0.1:0']);
        $before = $this->metrics();
        for ($i = 0; $i < 5; $i++) {
            Client::get($server->url('/'));
        }
        $zygote = $server->zygote();
        // the workers that have answered are gone after it
        $server->signal(SIGHUP);
        $server->eventually('it has reloaded', fn (): bool => $this->metrics()['weft_reloads_total'] === 1.0);
        $server->eventually('the old workers are gone', fn (): bool => $this->metrics()['weft_workers{state="draining"}'] === 0.0 && count($server->workers()) === 2);
        Client::get($server->url('/'));
        fclose($this->ask("NONSENSE\r\n\r\n", $server->address()));
        $server->eventually('what is no request is counted as well', fn (): bool => $this->metrics()['weft_requests_total{status="4xx"}'] === 1.0);

        $server->eventually('the old zygote has counted them', static fn (): bool => !ServerProcess::lives($zygote));
        $after = $this->metrics();
        self::assertSame(0.0, $before['weft_requests_total{status="2xx"}']);
        self::assertSame(6.0, $after['weft_requests_total{status="2xx"}']);
        self::assertSame(7.0, $after['weft_request_duration_seconds_count']);
        self::assertSame(7.0, $after['weft_request_duration_seconds_bucket{le="+Inf"}']);
        self::assertGreaterThanOrEqual($after['weft_request_duration_seconds_bucket{le="0.005"}'], $after['weft_request_duration_seconds_bucket{le="30.000"}']);
        self::assertGreaterThan(0, $after['weft_request_duration_seconds_sum']);
        self::assertGreaterThan(0, $after['weft_request_cpu_seconds_total']);
        self::assertGreaterThan(0, $after['weft_response_body_bytes_total']);
        self::assertSame(2.0, $after['weft_workers{state="serving"}']);
        self::assertGreaterThan(1 << 20, $after['weft_workers_resident_memory_bytes']);
        self::assertSame(2.0, $after['weft_generations_total']);
        self::assertSame(0.0, $after['weft_worker_restarts_total{cause="died"}'], 'a reload is nobody\'s death');
    }

    public function testARequestThatRunsIsInFlight(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '--admin=127.0.0.1:0']);
        $running = Client::begin($server->url('/hold?until=' . rawurlencode($server->file('go'))));
        $server->eventually('it runs', fn (): bool => $this->metrics()['weft_requests_in_flight'] === 1.0);
        self::assertSame(1.0, $this->metrics()['weft_connections']);
        touch($server->file('go'));
        stream_get_contents($running);
        $server->eventually('it has ended', fn (): bool => $this->metrics()['weft_requests_in_flight'] === 0.0);
    }

    public function testTheTimeForWhichAnExtensionKeepsAWorkerIsCounted(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=2', '--admin=127.0.0.1:0']);
        $name = 'weft_extension_blocked_seconds_total{extension="sqlite3"}';
        self::assertArrayNotHasKey($name, $this->metrics());
        self::assertSame(200, Client::get($server->url('/never-left'))[0]);
        self::assertGreaterThanOrEqual(0.045, $first = $this->metrics()[$name]);
        self::assertSame(200, Client::get($server->url('/never-left'))[0]);
        self::assertGreaterThanOrEqual($first + 0.045, $this->metrics()[$name]);
        self::assertStringContainsString('weft: the extension sqlite3 has kept the worker waiting for', $server->errors());
        self::assertStringContainsString(' in SQLite3::querySingle(): its calls are never left', $server->errors());
    }

    public function testRoutesThatHaveANameAreCountedApart(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=2', '--admin=127.0.0.1:0']);
        foreach (['users.show', 'users.show', '/shop/{item}', "a\"b\\c\n{}\xff", str_repeat('long', 50)] as $name) {
            self::assertSame(200, Client::get($server->url('/route?name=' . rawurlencode($name)))[0]);
        }
        Client::get($server->url('/route?fails&name=users.show'));
        Client::get($server->url('/route?name='));

        $count = fn (string $name, int $status = 2): float => $this->metrics()["weft_route_duration_seconds_count{route=\"$name\",status=\"{$status}xx\"}"] ?? 0.0;
        $server->eventually('all are counted', static fn (): bool => $count('users.show') === 2.0 && $count('users.show', 5) === 1.0 && $count('a_b_c_{}_') === 1.0);
        $metrics = $this->metrics();
        self::assertSame(2.0, $metrics['weft_route_requests_total{route="users.show",status="2xx"}']);
        self::assertSame(1.0, $metrics['weft_route_requests_total{route="users.show",status="5xx"}']);
        self::assertSame(2.0, $metrics['weft_route_duration_seconds_bucket{route="users.show",status="2xx",le="+Inf"}']);
        self::assertSame(1.0, $metrics['weft_route_duration_seconds_bucket{route="users.show",status="5xx",le="+Inf"}']);
        self::assertSame([1.0, 1.0], [$count('/shop/{item}'), $count(substr(str_repeat('long', 50), 0, 103))]);
        self::assertCount(5, array_filter(array_keys($metrics), static fn (string $name): bool => str_starts_with($name, 'weft_route_duration_seconds_count')));
        self::assertSame(7.0, $metrics['weft_request_duration_seconds_count']);
    }

    public function testRoutesBeyondTheTableAreCountedTogetherAndWhatIsGoneStays(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '--admin=127.0.0.1:0']);
        for ($i = 0; $i < 130; $i++) {
            Client::get($server->url("/route?name=route-$i"));
        }
        $zygote = $server->zygote();
        $server->signal(SIGHUP);
        $server->eventually('it has reloaded', fn (): bool => $this->metrics()['weft_reloads_total'] === 1.0);
        $server->eventually('the old worker is gone', fn (): bool => $this->metrics()['weft_workers{state="draining"}'] === 0.0);
        $server->eventually('the old zygote has counted what it did', static fn (): bool => !ServerProcess::lives($zygote));
        Client::get($server->url('/route?name=route-5'));
        Client::get($server->url('/route?name=route-129'));

        $server->eventually('all are counted', fn (): bool => $this->metrics()['weft_request_duration_seconds_count'] === 132.0);
        $metrics = $this->metrics();
        self::assertSame(1.0, $metrics['weft_route_duration_seconds_count{route="route-0",status="2xx"}']);
        self::assertSame(2.0, $metrics['weft_route_duration_seconds_count{route="route-5",status="2xx"}']);
        self::assertSame(4.0, $metrics['weft_route_duration_seconds_count{route="(others)",status="2xx"}']);
    }

    public function testWhatAWorkerHoldsIsShown(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '--admin=127.0.0.1:0']);
        $running = $server->hold(2);

        $server->eventually('their coroutines are counted', fn (): bool => $this->metrics()['weft_coroutines'] === 2.0);
        touch($server->file('go'));
        array_map(stream_get_contents(...), $running);
        $server->eventually('they have ended', fn (): bool => $this->metrics()['weft_coroutines'] === 0.0);
        $metrics = $this->metrics();
        self::assertGreaterThan(0.0, $metrics['weft_request_switches_total']);
        self::assertGreaterThan(0.0, $metrics['weft_dirty_slots_total']);
    }

    public function testPrometheusOwnToolFindsNothingToSay(): void
    {
        if (Program::run(['sh', '-c', 'command -v promtool'])[0] !== 0) {
            self::markTestSkipped('promtool is not installed: it comes with prometheus, which is large.');
        }
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '--admin=127.0.0.1:0']);
        Client::get($server->url('/route?name=users.show'));
        $server->eventually('it is counted', fn (): bool => isset($this->metrics()['weft_route_duration_seconds_count{route="users.show",status="2xx"}']));
        file_put_contents($server->file('metrics'), explode("\r\n\r\n", $this->get('/metrics'), 2)[1]);

        self::assertSame([0, '', ''], Program::run(['sh', '-c', 'promtool check metrics < "$1"', 'sh', $server->file('metrics')]));
    }

    public function testItIsReadyUntilItStops(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '--admin=127.0.0.1:0']);
        self::assertStringContainsString("\r\n\r\nready\n", $this->get('/readyz'));
        self::assertStringContainsString("\r\n\r\nok\n", $this->get('/healthz'));
        $running = Client::begin($server->url('/hold?until=' . rawurlencode($server->file('go'))));
        $server->eventually('it runs', fn (): bool => $this->metrics()['weft_requests_in_flight'] === 1.0);
        $server->signal(SIGTERM);
        $server->eventually('it is not ready', fn (): bool => str_starts_with($this->get('/readyz'), 'HTTP/1.1 503 '));
        self::assertStringStartsWith('HTTP/1.1 200 ', $this->get('/healthz'), 'it is well nevertheless');
        touch($server->file('go'));
        stream_get_contents($running);
        self::assertSame(0, $server->exitCode());
    }

    public function testItIsNotReadyWhileNoWorkerLives(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=2', '--admin=127.0.0.1:0']);
        $zygote = $server->zygote();
        // it starts no other ones, and does not even notice
        Program::hold($zygote);
        [$first, $second] = $server->workers();
        posix_kill($first, SIGKILL);
        self::assertStringStartsWith('HTTP/1.1 200 ', $this->get('/readyz'), 'one is left');
        posix_kill($second, SIGKILL);

        $server->eventually('it is not ready', fn (): bool => str_starts_with($this->get('/readyz'), 'HTTP/1.1 503 '));
        posix_kill($zygote, SIGCONT);
        $server->eventually('others serve', fn (): bool => str_starts_with($this->get('/readyz'), 'HTTP/1.1 200 '));
    }

    public function testTheAgeOfTheLineIsThatOfTheEldest(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '--concurrency=1', '--admin=127.0.0.1:0', '-d', 'weft.http_queue_ms=0']);
        $age = fn (): float => $this->metrics()['weft_request_queue_age_seconds'];
        // who is connected already stands in the worker's line, not in the kernel's
        $waiting = [];
        foreach ([1.0, 2.0] as $connections) {
            $waiting[] = $this->ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n", $server->address());
            $server->eventually('it is connected', fn (): bool => $this->metrics()['weft_connections'] === $connections);
        }
        $running = Client::begin($server->url('/hold?until=' . rawurlencode($server->file('go'))));
        $server->eventually('it runs', fn (): bool => $this->metrics()['weft_requests_in_flight'] === 1.0);
        self::assertSame(0.0, $this->metrics()['weft_request_queue_age_seconds']);

        foreach ($waiting as $client) {
            fwrite($client, "\r\n");
        }
        $server->eventually('both wait', fn (): bool => $this->metrics()['weft_requests_queued'] === 2.0);
        $before = $age();
        self::assertGreaterThan(0.0, $before);
        self::assertGreaterThan($before, $age(), 'nobody needs to do anything for that');
        touch($server->file('go'));
        array_map(stream_get_contents(...), [$running, ...$waiting]);
        $server->eventually('nobody waits', static fn (): bool => $age() === 0.0);
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function requests(): iterable
    {
        yield 'another path' => ["GET /metricsX HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 'HTTP/1.1 404 Not Found'];
        yield 'another method' => ["POST /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 'HTTP/1.1 405 Method Not Allowed'];
        yield 'no HTTP' => ["stop now\n\n", 'HTTP/1.1 400 Bad Request'];
        yield 'an order' => ["stop HTTP/1.1\r\n\r\n", 'HTTP/1.1 405 Method Not Allowed'];
        yield 'without an end' => ['GET /metrics HTTP/1.1' . str_repeat("\r\nX: " . str_repeat('a', 1000), 17), 'HTTP/1.1 431 Request Header Fields Too Large'];
        yield 'bytes' => ["\0\xff\r\n\r\n", 'HTTP/1.1 400 Bad Request'];
        yield 'a long path' => ['GET /' . str_repeat('a', 1000) . " HTTP/1.1\r\n\r\n", 'HTTP/1.1 400 Bad Request'];
        yield 'only the head' => ["HEAD /healthz HTTP/1.1\r\nHost: [::1]:9000\r\n\r\n", "Content-Length: 3\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"];
    }

    #[DataProvider('requests')]
    public function testWhatItCantAnswerItRefuses(string $request, string $expected): void
    {
        $this->server = ServerProcess::serving(self::APP, ['--workers=1', '--admin=127.0.0.1:0']);
        $answer = stream_get_contents($this->ask($request));

        self::assertStringContainsString($expected, (string) $answer);
        self::assertTrue($this->server->runs());
        self::assertStringContainsString("\r\n\r\nok\n", $this->get('/healthz'));
    }

    public function testItAnswersToItsOwnNamesAndToAddressesAlone(): void
    {
        $this->server = ServerProcess::serving(self::APP, ['--workers=1', '--admin=127.0.0.1:0']);
        $status = fn (string $headers): string => substr((string) stream_get_contents($this->ask("GET /metrics HTTP/1.1\r\n$headers\r\n")), 9, 3);
        foreach (['127.0.0.1', '127.0.0.1:9000', '10.1.2.3', '[::1]', '[::ffff:10.0.0.1]:80', 'localhost', 'LocalHost:9000', (string) gethostname(), ''] as $host) {
            self::assertSame('200', $status("X-Host: evil.example\r\nhost:  $host \r\n"), $host);
        }
        self::assertSame('200', $status(''), 'a load balancer names none');
        foreach (['evil.example', 'evil.example:9000', 'localhost.', 'localhost.evil.example'] as $host) {
            self::assertSame('421', $status("Host: $host\r\n"), $host);
        }
        foreach (['127.0.0.1.evil.example', '1.2.3', '[evil.example]', '[::1', 'localhost@evil', '::1', str_repeat('a', 5000)] as $host) {
            self::assertSame('421', $status("Host: $host\r\n"), $host);
        }
        self::assertSame('421', $status("Host: 127.0.0.1\r\nHost: evil.example\r\n"));
        self::assertSame('421', $status("Host: evil.example\r\nHost: 127.0.0.1\r\n"));
        $answer = (string) stream_get_contents($this->ask("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n"));
        self::assertStringContainsString('start the server with --admin=NAME:PORT', $answer);
        self::assertStringNotContainsString('weft_requests', $answer);
    }

    public function testItAnswersToTheNameThatItWasStartedWith(): void
    {
        $name = '127.1'; // every machine finds it, and it is written as no address is
        $this->server = ServerProcess::serving(self::APP, ['--workers=1', "--admin=$name:0"]);

        self::assertStringContainsString(' 200 OK', (string) stream_get_contents($this->ask("GET /healthz HTTP/1.1\r\nHost: $name:80\r\n\r\n")));
        self::assertStringContainsString(' 421 ', (string) stream_get_contents($this->ask("GET /healthz HTTP/1.1\r\nHost: $name.example\r\n\r\n")));
    }

    /**
     * @return iterable<string, array{string}>
     */
    public static function addresses(): iterable
    {
        yield 'a port alone' => ['9000'];
        yield 'no port' => ['127.0.0.1'];
        yield 'a port that there is not' => ['127.0.0.1:70000'];
    }

    #[DataProvider('addresses')]
    public function testAnAddressThatIsNoneIsRefused(string $address): void
    {
        [$code, , $errors] = Program::run([PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'serve', self::APP, "--admin=$address"]);

        self::assertSame(2, $code);
        self::assertStringContainsString("--admin must be an address with a port, for example 127.0.0.1:9000 or [::1]:9000, not \"$address\".", $errors);
    }

    public function testAnAddressInUseEndsTheStart(): void
    {
        $taken = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($taken);
        $address = (string) stream_socket_get_name($taken, false);
        [$code, , $errors] = Program::run([PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'serve', self::APP, '--port=0', "--admin=$address"]);

        self::assertSame(1, $code);
        self::assertStringContainsString("Can't listen on $address: Address already in use. Choose another port for --admin.", $errors);
    }

    /**
     * @return array<string, float> by name and labels
     */
    private function metrics(): array
    {
        $answer = $this->get('/metrics');
        self::assertStringContainsString("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n", $answer);
        $metrics = [];
        foreach (explode("\n", rtrim(explode("\r\n\r\n", $answer, 2)[1])) as $line) {
            if (!str_starts_with($line, '#')) {
                self::assertMatchesRegularExpression('/^[a-z_]+(\{[a-z]+="[^"\\\\]+"(,[a-z]+="[^"\\\\]+")*\})? [0-9.]+$/', $line);
                [$name, $value] = explode(' ', $line);
                $metrics[$name] = (float) $value;
            }
        }

        return $metrics;
    }

    private function get(string $path): string
    {
        return (string) stream_get_contents($this->ask("GET $path HTTP/1.1\r\nHost: 127.0.0.1:9000\r\n\r\n"));
    }

    /**
     * @return resource
     */
    private function ask(string $request, ?string $address = null)
    {
        if ($address === null) {
            preg_match('~http://(\S+)/metrics~', (string) $this->server?->output(), $match);
            $address = $match[1] ?? self::fail('It tells no address.');
        }
        $socket = stream_socket_client("tcp://$address");
        self::assertIsResource($socket);
        fwrite($socket, $request);

        return $socket;
    }
}
