<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Weft\WebSocketProbe\Frame;

/** A WebSocket of a route of Laravel, and of one of Symfony. */
final class SocketTest extends LaravelTestCase
{
    private const UPGRADE = "GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        . "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

    public function testLaravelDoesNotLogClientsThatAreRefusedOrLeave(): void
    {
        $log = Example::path() . '/storage/logs/laravel.log';
        @unlink($log);
        $this->clientsAreNotIn($log, $this->serve(['--workers=1']), '/exception');
    }

    public function testSymfonyDoesNotLogClientsThatAreRefusedOrLeave(): void
    {
        $application = SymfonyExample::withSockets();
        $server = $this->serve(['--workers=1'], ['APP_ENV' => 'prod', 'APP_DEBUG' => '0'], $application);
        self::assertStringContainsString('serves Symfony ', $server->output());
        $this->clientsAreNotIn("$application/var/log/all.log", $server, '/fail');
    }

    /** Anybody could fill it. What fails is there. */
    private function clientsAreNotIn(string $log, Server $server, string $fails): void
    {
        $browser = new Browser($server->url);

        self::assertSame(426, $browser->get('/socket')->status);
        self::assertStringStartsWith('HTTP/1.1 403 ', $this->upgrade($server, "Origin: https://evil.test\r\n", ''));
        self::assertStringStartsWith('HTTP/1.1 101 ', $this->upgrade($server, '', ''), 'It sends to a client that has gone');
        self::assertStringEndsWith("\x81\x05Hello\x88\x02\x03\xe8", $this->upgrade($server, '', Frame::text('Hello')));
        self::assertSame(500, $browser->get($fails)->status);

        $this->eventually(static fn (): bool => str_contains((string) @file_get_contents($log), 'went wrong on purpose'), 'What fails is logged');
        $text = file_get_contents($log) . $server->output();
        self::assertStringNotContainsString('Upgrade', $text);
        self::assertStringNotContainsString('WebSocket', $text);
    }

    /** What comes until the server ends it. */
    private function upgrade(Server $server, string $headers, string $frames): string
    {
        $client = stream_socket_client(str_replace('http:', 'tcp:', $server->url), timeout: 10);
        self::assertNotFalse($client);
        fwrite($client, self::UPGRADE . $headers . "\r\n" . $frames);
        if ($frames === '') {
            stream_socket_shutdown($client, STREAM_SHUT_WR);
        }

        return (string) stream_get_contents($client);
    }
}
