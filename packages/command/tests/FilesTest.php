<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

/**
 * Files, from outside.
 */
final class FilesTest extends TestCase
{
    private string $directory;
    private ServerProcess $server;

    protected function setUp(): void
    {
        $this->directory = sys_get_temp_dir() . '/weft-files-' . bin2hex(random_bytes(6));
        mkdir($this->directory);
        file_put_contents("$this->directory/text.txt", '0123456789');
        touch("$this->directory/text.txt", 1604361600);
        file_put_contents("$this->directory/big", str_repeat('x', 24 << 20));
        mkdir("$this->directory/build/assets", recursive: true);
        mkdir("$this->directory/fonts");
        file_put_contents("$this->directory/build/assets/app-4f2a.css", 'hashed');
        file_put_contents("$this->directory/fonts/a.woff2", 'font');
        $this->server = $this->serve();
    }

    protected function tearDown(): void
    {
        $this->server->destroy();
        Program::run(['rm', '-rf', $this->directory]);
    }

    private function serve(string ...$options): ServerProcess
    {
        return ServerProcess::serving(__DIR__ . '/fixtures/app.php', ['--workers=1', '--concurrency=2', "--public=$this->directory", ...array_values($options)]);
    }

    public function testWhatIsNoFileIsTheApplications(): void
    {
        self::assertSame([200, 'hello'], Client::get($this->server->url('/')));
        self::assertSame([200, '0123456789'], Client::get($this->server->url('/text.txt')));
        self::assertSame([200, 'hello'], Client::get($this->server->url('/build/assets/none.css')));
        self::assertMatchesRegularExpression('~ GET /text.txt 200 [\d.]+ ms$~m', $this->server->output());
    }

    public function testCachesAreToldOfWhatNeverChanges(): void
    {
        self::assertStringContainsString("Cache-Control: public, max-age=31536000, immutable\r\n", $this->ask('GET', path: '/build/assets/app-4f2a.css'));
        self::assertStringNotContainsString('Cache-Control', $this->ask('GET', path: '/fonts/a.woff2'));
        self::assertStringNotContainsString('Cache-Control', $this->ask('GET'));

        $this->server->destroy();
        $this->server = $this->serve('--cache-control=/fonts/*: public, max-age=86400', '--cache-control=*.txt: no-cache', '--cache-control=/fonts/a*: no-store');
        self::assertStringContainsString("Cache-Control: public, max-age=86400\r\n", $this->ask('GET', path: '/fonts/a.woff2'));
        self::assertStringContainsString("Cache-Control: no-cache\r\n", $this->ask('GET', 'If-Modified-Since: Tue, 03 Nov 2020 00:00:00 GMT'));
        self::assertStringNotContainsString('Cache-Control', $this->ask('GET', path: '/build/assets/app-4f2a.css'));
    }

    public function testConditionsRangesAndHeads(): void
    {
        $whole = $this->ask('GET');
        self::assertStringStartsWith('HTTP/1.1 200 OK', $whole);
        self::assertStringContainsString('ETag: "5fa09d80-a"', $whole);
        self::assertStringContainsString('Last-Modified: Tue, 03 Nov 2020 00:00:00 GMT', $whole);
        self::assertStringContainsString('Content-Type: text/plain; charset=UTF-8', $whole);
        self::assertStringEndsWith("\r\n\r\n0123456789", $whole);

        $head = $this->ask('HEAD', 'Range: bytes=2-4');
        self::assertStringStartsWith('HTTP/1.1 200 OK', $head);
        self::assertStringContainsString('Content-Length: 10', $head);
        self::assertStringEndsWith("\r\n\r\n", $head);

        $part = $this->ask('GET', 'Range: bytes=2-4');
        self::assertStringStartsWith('HTTP/1.1 206 Partial Content', $part);
        self::assertStringContainsString('Content-Range: bytes 2-4/10', $part);
        self::assertStringContainsString('Content-Length: 3', $part);
        self::assertStringEndsWith("\r\n\r\n234", $part);

        $none = $this->ask('GET', 'Range: bytes=10-');
        self::assertStringStartsWith('HTTP/1.1 416 Range Not Satisfiable', $none);
        self::assertStringContainsString('Content-Range: bytes */10', $none);

        foreach (['If-None-Match: "5fa09d80-a"', 'If-Modified-Since: Tue, 03 Nov 2020 00:00:00 GMT'] as $condition) {
            $same = $this->ask('GET', $condition);
            self::assertStringStartsWith('HTTP/1.1 304 Not Modified', $same);
            self::assertStringContainsString('ETag: "5fa09d80-a"', $same);
            self::assertStringNotContainsString('Content-Type', $same);
            self::assertStringEndsWith("\r\n\r\n", $same);
        }
        self::assertStringStartsWith('HTTP/1.1 200 OK', $this->ask('GET', 'If-Modified-Since: tomorrow'));
        self::assertStringStartsWith('HTTP/1.1 412 Precondition Failed', $this->ask('GET', 'If-Match: "other"'));
    }

    public function testSilentReadersOfAFileKeepNobodyOut(): void
    {
        $silent = [];
        for ($i = 0; $i < 6; $i++) {
            $silent[] = $socket = stream_socket_client('tcp://' . $this->server->address());
            self::assertIsResource($socket);
            fwrite($socket, "GET /big HTTP/1.1\r\nHost: a\r\n\r\n");
            self::assertStringStartsWith('HTTP/1.1 200', (string) fread($socket, 12));
        }

        self::assertStringEndsWith('0123456789', $this->ask('GET'), 'with two requests at once');
        self::assertIsResource($silent[0]);
        $body = explode("\r\n\r\n", '' . stream_get_contents($silent[0], 24 << 20), 2)[1];
        self::assertGreaterThan(23 << 20, strspn($body, 'x'), 'and who begins to read gets the file');
    }

    private function ask(string $method, string $header = 'X: y', string $path = '/text.txt'): string
    {
        $socket = stream_socket_client('tcp://' . $this->server->address());
        self::assertIsResource($socket);
        stream_set_timeout($socket, 5);
        fwrite($socket, "$method $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n$header\r\n\r\n");

        return (string) stream_get_contents($socket);
    }
}
