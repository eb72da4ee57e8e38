<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use H2;
use Weft\TestSupport\Program;

require_once dirname(__DIR__, 3) . '/ext/weft/tests/http2/frames.inc';

/**
 * Over TLS, too: who sends no more gets its answers, and who sends or takes much leaves others their turn.
 */
final class TlsFairTest extends TlsCase
{
    public function testWhoSendsNoMoreGetsItsAnswers(): void
    {
        $this->serve(['--workers=1']);
        $plain = $this->connect();
        $frames = $this->connect(protocols: 'h2');
        $notified = $this->connect();

        fwrite($plain, "GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n");
        $of = [':scheme' => 'https', ':authority' => 'localhost'];
        fwrite($frames, H2::PREFACE . H2::settings() . H2::get(1, '/late', $of) . H2::get(3, '/length', $of));
        stream_socket_shutdown($plain, STREAM_SHUT_WR);
        stream_socket_shutdown($frames, STREAM_SHUT_WR);
        fwrite($notified, "GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream_socket_enable_crypto($notified, false); // close_notify, and no end of the socket's stream

        self::assertStringEndsWith("\r\n\r\nlate", (string) stream_get_contents($plain));
        self::assertTrue(feof($plain));
        $answers = (string) stream_get_contents($frames);
        self::assertStringContainsString("\0\0\4\0\1\0\0\0\1late", $answers);
        self::assertStringContainsString("\0\0\1\0\1\0\0\0\0030", $answers);
        self::assertTrue(feof($frames));
        self::assertGreaterThan(100, strlen((string) stream_get_contents($notified)), 'what is not read as TLS any more');
        self::assertTrue(feof($notified));
    }

    public function testWhoSendsMuchIsReadAShareAtATime(): void
    {
        $server = $this->serve(['--workers=1', '-d', 'post_max_size=16M']);
        $sender = $this->connect();
        $other = $this->connect();
        [$worker] = $server->workers();
        $post = static fn (int $length, string $path = '/length'): string =>
            "POST $path HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: $length\r\n\r\n";
        // the kernel takes much of who has sent much
        fwrite($sender, $post(8 << 20) . str_repeat('x', 8 << 20));
        self::assertStringStartsWith('HTTP/1.1 200 OK', (string) fread($sender, 8192));
        $path = '/length?events=' . rawurlencode($server->file('events'));
        fwrite($sender, $post(100_001, $path) . 'x');
        usleep(100_000);

        Program::hold($worker);
        fwrite($sender, str_repeat('x', 100_000));
        fwrite($other, "GET $path HTTP/1.1\r\nHost: localhost\r\n\r\n");
        posix_kill($worker, SIGCONT);

        self::assertStringStartsWith('HTTP/1.1 200 OK', (string) fgets($other));
        self::assertStringStartsWith('HTTP/1.1 200 OK', (string) fgets($sender));
        self::assertSame(['GET', 'POST'], $server->events());
    }

    public function testWhoTakesMuchIsSentAShareAtATime(): void
    {
        mkdir($public = "{$this->certificates->directory}/public");
        file_put_contents("$public/file.bin", str_repeat('x', 4 << 20));
        [$share, $all] = [$this->takenBeforeOthers($public, 16384), $this->takenBeforeOthers($public, 1 << 30)];

        self::assertLessThan(100_000, $share);
        self::assertGreaterThan(150_000, $all);
    }

    /** How much of a file the kernel has when the server comes to another client, whose request stops it. */
    private function takenBeforeOthers(string $public, int $share): int
    {
        $this->server?->destroy();
        $server = $this->serve(['--workers=1', "--public=$public", '-d', "weft.http_share=$share"]);
        $reader = $this->connect();
        $other = $this->connect();
        [$worker] = $server->workers();
        usleep(50_000);

        Program::hold($worker);
        fwrite($reader, "GET /file.bin HTTP/1.1\r\nHost: localhost\r\n\r\n");
        fwrite($other, "GET /stop HTTP/1.1\r\nHost: localhost\r\n\r\n");
        posix_kill($worker, SIGCONT);
        $server->eventually('it has stopped itself', static fn (): bool => preg_match('/^State:\s+T/m', (string) file_get_contents("/proc/$worker/status")) === 1);
        $taken = 0;
        stream_set_blocking($reader, false);
        for ($empty = 0; $empty < 5; usleep(20_000)) {
            $got = strlen((string) fread($reader, 1 << 20));
            $taken += $got;
            $empty = $got > 0 ? 0 : $empty + 1;
        }
        posix_kill($worker, SIGCONT);
        self::assertStringStartsWith('HTTP/1.1 200 OK', (string) fgets($other));

        return $taken;
    }
}
