<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use Weft\TestSupport\Program;

/**
 * HTTP/2 within TLS, as curl and h2load see it. What is behind that is in ext/weft/tests/http2.
 */
final class Http2Test extends TlsCase
{
    public function testAClientOfTlsChoosesIt(): void
    {
        $server = $this->serve(['--workers=1', '--log=text', '--hsts=31536000']);

        $answer = $this->ask(['-i'], '/');
        self::assertStringStartsWith("HTTP/2 200 \r\n", $answer);
        self::assertStringContainsString("\r\nstrict-transport-security: max-age=31536000\r\n", $answer);
        self::assertStringContainsString('"HTTPS":"on"', $answer);
        self::assertSame(md5(str_repeat(md5('big'), 100_000)), md5($this->ask([], '/big')));
        file_put_contents("{$this->certificates->directory}/upload", str_repeat('0123456789', 100_000));
        self::assertSame('1000000', $this->ask(['--data-binary', "@{$this->certificates->directory}/upload", '-H', 'Content-Type: application/octet-stream'], '/length'));
        self::assertStringEndsWith('92', $this->ask(['-w', '%{exitcode}'], '/cut'), 'a reset says that something is missing');
        self::assertSame('the parent says', $this->ask([], '/fork'), 'a forked child has no say');
        self::assertSame(str_repeat('2 ', 20), $this->ask(['-w', '%{http_version} ', ...array_merge(...array_fill(0, 20, ['-o', '/dev/null']))], ...array_fill(0, 20, '/')));
        self::assertStringStartsWith("HTTP/1.1 200 OK\r\n", $this->ask(['-i', '--http1.1'], '/'));
        $server->eventually('it is logged', static fn (): bool => preg_match('~GET / 200 [0-9.]+ ms\n~', $server->output()) === 1
            && preg_match('~GET / 200 [0-9.]+ ms h2\n~', $server->output()) === 1);
    }

    public function testItCanBeSwitchedOff(): void
    {
        $this->serve(['--workers=1', '-d', 'weft.http2=0']);

        self::assertStringStartsWith("HTTP/1.1 200 OK\r\n", $this->ask(['-i'], '/'));
    }

    public function testManyStreamsOfManyConnections(): void
    {
        $server = $this->serve(['--workers=2']);

        $told = Program::run(['h2load', '-n', '500', '-c', '5', '-m', '20', "https://localhost:{$this->port()}/"])[1];
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

        self::assertStringContainsString("\r\ncontent-encoding: gzip\r\n", $this->ask(['-i', '--compressed', '-H', 'Accept-Encoding: gzip'], '/big'));
        self::assertSame(md5(str_repeat(md5('big'), 100_000)), md5($this->ask(['--compressed', '-H', 'Accept-Encoding: gzip'], '/big')));
        self::assertSame('10000', $this->ask([...$upload, 'Content-Encoding: gzip'], '/length'));
        file_put_contents($coded, 'this is no gzip');
        self::assertSame('400', $this->ask([...$upload, 'Content-Encoding: gzip', '-o', '/dev/null', '-w', '%{http_code}'], '/length'));
        file_put_contents($coded, substr((string) gzencode(str_repeat('0123456789', 1000)), 0, -9));
        self::assertSame('400', $this->ask([...$upload, 'Content-Encoding: gzip', '-o', '/dev/null', '-w', '%{http_code}'], '/length'), 'its end is missing');
        file_put_contents($coded, str_repeat('0123456789', 300_000));
        $told = $this->ask([...$upload, 'Content-Encoding: br', '-o', '/dev/null', '-w', '%{http_code} %header{accept-encoding}'], '/length');
        self::assertSame('415 gzip', $told, 'refused before it has come');
    }

    /**
     * @param list<string> $options
     */
    private function ask(array $options, string ...$paths): string
    {
        $urls = array_map(fn (string $path): string => "https://localhost:{$this->port()}$path", $paths);

        return Program::run(['curl', '-s', '--cacert', $this->certificates->authority(), ...$options, ...array_values($urls)])[1];
    }
}
