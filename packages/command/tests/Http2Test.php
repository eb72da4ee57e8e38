<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

/**
 * HTTP/2 within TLS, as curl and h2load see it. What is behind that is in ext/weft/tests/http2.
 */
final class Http2Test extends TestCase
{
    private const APP = __DIR__ . '/fixtures/tls.php';

    private ?ServerProcess $server = null;
    private Certificates $certificates;

    protected function setUp(): void
    {
        $this->certificates = new Certificates(sys_get_temp_dir() . '/weft-http2-' . bin2hex(random_bytes(6)));
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
        Program::run(['rm', '-rf', $this->certificates->directory]);
    }

    public function testAClientOfTlsChoosesIt(): void
    {
        $server = $this->serve(['--workers=1', '--log=text', '--hsts=31536000']);

        $answer = $this->curl(['-i'], '/');
        self::assertStringStartsWith("HTTP/2 200 \r\n", $answer);
        self::assertStringContainsString("\r\nstrict-transport-security: max-age=31536000\r\n", $answer);
        self::assertStringContainsString('"HTTPS":"on"', $answer);
        self::assertSame(md5(str_repeat(md5('big'), 100_000)), md5($this->curl([], '/big')));
        file_put_contents("{$this->certificates->directory}/upload", str_repeat('0123456789', 100_000));
        self::assertSame('1000000', $this->curl(['--data-binary', "@{$this->certificates->directory}/upload", '-H', 'Content-Type: application/octet-stream'], '/length'));
        self::assertStringEndsWith('92', $this->curl(['-w', '%{exitcode}'], '/cut'), 'a reset says that something is missing');
        self::assertSame('the parent says', $this->curl([], '/fork'), 'a forked child has no say');
        self::assertSame(str_repeat('2 ', 20), $this->curl(['-w', '%{http_version} ', ...array_merge(...array_fill(0, 20, ['-o', '/dev/null']))], ...array_fill(0, 20, '/')));
        self::assertStringStartsWith("HTTP/1.1 200 OK\r\n", $this->curl(['-i', '--http1.1'], '/'));
        $server->eventually('it is logged', static fn (): bool => preg_match('~GET / 200 [0-9.]+ ms\n~', $server->output()) === 1
            && preg_match('~GET / 200 [0-9.]+ ms h2\n~', $server->output()) === 1);
    }

    public function testItCanBeSwitchedOff(): void
    {
        $this->serve(['--workers=1', '-d', 'weft.http2=0']);

        self::assertStringStartsWith("HTTP/1.1 200 OK\r\n", $this->curl(['-i'], '/'));
    }

    public function testManyStreamsOfManyConnections(): void
    {
        $server = $this->serve(['--workers=2']);

        $told = Program::run(['h2load', '-n', '500', '-c', '5', '-m', '20', $this->address() . '/'])[1];
        self::assertStringContainsString(' 500 succeeded, 0 failed', $told);
        self::assertStringContainsString('status codes: 500 2xx', $told);
        self::assertSame('', $server->errors());
    }

    public function testBothWaysMayBeCompressed(): void
    {
        $this->serve(['--workers=1', '-d', 'weft.http_decompress=gzip', '-d', 'weft.http_compress_min=1']);
        $coded = "{$this->certificates->directory}/coded";
        file_put_contents($coded, (string) gzencode(str_repeat('0123456789', 1000)));
        $upload = ['--data-binary', "@$coded", '-H', 'Content-Type: application/octet-stream', '-H'];

        self::assertStringContainsString("\r\ncontent-encoding: gzip\r\n", $this->curl(['-i', '--compressed', '-H', 'Accept-Encoding: gzip'], '/big'));
        self::assertSame(md5(str_repeat(md5('big'), 100_000)), md5($this->curl(['--compressed', '-H', 'Accept-Encoding: gzip'], '/big')));
        self::assertSame('10000', $this->curl([...$upload, 'Content-Encoding: gzip'], '/length'));
        file_put_contents($coded, 'this is no gzip');
        self::assertSame('400', $this->curl([...$upload, 'Content-Encoding: gzip', '-o', '/dev/null', '-w', '%{http_code}'], '/length'));
        file_put_contents($coded, substr((string) gzencode(str_repeat('0123456789', 1000)), 0, -9));
        self::assertSame('400', $this->curl([...$upload, 'Content-Encoding: gzip', '-o', '/dev/null', '-w', '%{http_code}'], '/length'), 'its end is missing');
        file_put_contents($coded, str_repeat('0123456789', 300_000));
        $told = $this->curl([...$upload, 'Content-Encoding: br', '-o', '/dev/null', '-w', '%{http_code} %header{accept-encoding}'], '/length');
        self::assertSame('415 gzip', $told, 'refused before it has come');
    }

    private function address(): string
    {
        self::assertSame(1, preg_match('~https://127\.0\.0\.1:(\d+)~', $this->server?->output() ?? '', $match));

        return 'https://localhost:' . ($match[1] ?? '');
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(array $arguments): ServerProcess
    {
        [$certificate, $key] = $this->certificates->make('localhost');

        return $this->server = ServerProcess::serving(self::APP, ["--tls-cert=$certificate", "--tls-key=$key", ...$arguments]);
    }

    /**
     * @param list<string> $options
     */
    private function curl(array $options, string ...$paths): string
    {
        $urls = array_map(fn (string $path): string => $this->address() . $path, $paths);

        return Program::run(['curl', '-s', '--cacert', $this->certificates->authority(), ...$options, ...array_values($urls)])[1];
    }
}
