<?php

declare(strict_types=1);

namespace Weft\HttpProbe\Cases;

use Weft\HttpProbe\Probe;
use Weft\HttpProbe\Table;

/**
 * @phpstan-import-type Line from Probe
 */
final class Connections
{
    /**
     * @return array<string, Line>
     */
    public static function lines(): array
    {
        return self::options() + self::upgrades() + self::pipelines();
    }

    /**
     * @return array<string, Line>
     */
    private static function options(): array
    {
        $lines = [];
        foreach ([
            'close', 'Close', 'CLOSE', "close\t", "\tclose", 'x, close', 'close, x', 'x,close,y', "x,\tclose", 'keep-alive, close',
            'close, keep-alive', ',close', 'close,', ', ,close', 'TE, close',
        ] as $option) {
            $lines['closes: ' . addcslashes($option, "\t")] = ['9112 9.6', Table::get("Connection: $option"), '200 closed', 'GET / probe 0'];
        }
        foreach (['keep-alive', 'Keep-Alive', '', 'x', 'closed', 'close-x', 'xclose', 'clos', 'not close', '"close"', 'TE', 'upgrade', 'keep-alive, x'] as $option) {
            $lines["keeps: $option"] = ['9112 9.3', Table::get("Connection: $option"), '200 kept', 'GET / probe 0'];
        }
        $old = static fn (string ...$headers): string => Table::request('GET /a HTTP/1.0', ...$headers);

        return $lines + [
            'HTTP/1.1 keeps' => ['9112 9.3', Table::get(), '200 kept', 'GET / probe 0'],
            'HTTP/1.0 closes' => ['9112 9.3', $old(), '200 closed', 'GET /a probe 0'],
            'HTTP/1.0 with keep-alive keeps' => ['9112 9.3', $old('Connection: keep-alive'), '200 kept', 'GET /a probe 0'],
            'HTTP/1.0 with Keep-Alive in capitals keeps' => ['9112 9.3', $old('Connection: KEEP-ALIVE'), '200 kept', 'GET /a probe 0'],
            'HTTP/1.0 with a tab behind it keeps' => ['9110 5.5', $old("Connection: keep-alive\t"), '200 kept', 'GET /a probe 0'],
            'HTTP/1.0 with both closes' => ['9112 9.3', $old('Connection: keep-alive, close'), '200 closed', 'GET /a probe 0'],
            'HTTP/1.0 with close closes' => ['9112 9.3', $old('Connection: close'), '200 closed', 'GET /a probe 0'],
            'HTTP/1.0 with another option closes' => ['9112 9.3', $old('Connection: x'), '200 closed', 'GET /a probe 0'],
            'two lines, the second closes' => ['9110 5.3', Table::get('Connection: x', 'Connection: close'), '200 closed', 'GET / probe 0'],
            'two lines, the first closes' => ['9110 5.3', Table::get('Connection: close', 'Connection: keep-alive'), '200 closed', 'GET / probe 0'],
            'Keep-Alive says nothing' => ['9112 9.3', Table::get('Keep-Alive: timeout=0'), '200 kept', 'GET / probe 0'],
            'closes with a body' => ['9112 9.6', Table::post('abc', 'Content-Length: 3', 'Connection: close'), '200 closed', 'POST / probe 3 abc'],
            'closes with chunks' => ['9112 9.6', Table::chunked("3\r\nabc\r\n0\r\n\r\n", 'Connection: close'), '200 closed', 'POST / probe 3 abc'],
            'closes after HEAD' => ['9112 9.6', Table::request('HEAD / HTTP/1.1', 'Connection: close'), '200:head closed'],
        ];
    }

    /**
     * An offer that nobody takes.
     *
     * @return array<string, Line>
     */
    private static function upgrades(): array
    {
        $lines = [];
        foreach (['websocket', 'h2c', 'TLS/1.0', 'HTTP/2.0', 'x', 'websocket, x', 'foo/1'] as $protocol) {
            $lines["upgrade to $protocol"] = ['9110 7.8', Table::get('Connection: Upgrade', "Upgrade: $protocol"), '200 kept', 'GET / probe 0'];
        }

        return $lines + [
            'upgrade to h2c, with settings' => [
                '9113 3.1', Table::get('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA'),
                '200 kept', 'GET / probe 0',
            ],
            'upgrade with a body' => ['9110 7.8', Table::post('abc', 'Connection: upgrade', 'Upgrade: websocket', 'Content-Length: 3'), '200 kept', 'POST / probe 3 abc'],
            'upgrade with chunks' => ['9110 7.8', Table::chunked("3\r\nabc\r\n0\r\n\r\n", 'Connection: upgrade', 'Upgrade: websocket'), '200 kept', 'POST / probe 3 abc'],
            'upgrade of HEAD' => ['9110 7.8', Table::request('HEAD / HTTP/1.1', 'Connection: upgrade', 'Upgrade: websocket'), '200:head kept'],
            'upgrade of OPTIONS' => ['9110 7.8', Table::request('OPTIONS / HTTP/1.1', 'Connection: upgrade', 'Upgrade: websocket'), '200 kept', 'OPTIONS / probe 0'],
            'upgrade and close' => ['9110 7.8', Table::get('Connection: upgrade, close', 'Upgrade: websocket'), '200 closed', 'GET / probe 0'],
            'upgrade without Connection' => ['9110 7.8', Table::get('Upgrade: websocket'), '200 kept', 'GET / probe 0'],
            'upgrade in HTTP/1.0' => ['9110 7.8', Table::request('GET / HTTP/1.0', 'Connection: upgrade', 'Upgrade: websocket'), '200 closed', 'GET / probe 0'],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function pipelines(): array
    {
        $get = Table::get();
        $post = Table::post('abc', 'Content-Length: 3');
        $chunked = Table::chunked("3\r\nabc\r\n0\r\n\r\n");
        $head = Table::request('HEAD / HTTP/1.1');
        $close = Table::get('Connection: close');
        $wrong = Table::get('X : y');

        return [
            'two at once' => ['9112 9.3.2', $get . $get, '200 200 kept', 'GET / probe 0'],
            'twenty at once' => ['9112 9.3.2', str_repeat($get, 20), str_repeat('200 ', 20) . 'kept', 'GET / probe 0'],
            'in single bytes' => ['9112 9.3.2', str_split($get . $post), '200 200 kept', 'POST / probe 3 abc'],
            'bodies at once' => ['9112 9.3.2', $post . $chunked . $post, '200 200 200 kept', 'POST / probe 3 abc'],
            'HEAD between two' => ['9112 9.3.2', $get . $head . $get, '200 200:head 200 kept', 'GET / probe 0'],
            'HEAD with a body between two' => ['9112 9.3.2', $get . Table::request('HEAD / HTTP/1.1', 'Content-Length: 3') . "abc$get", '200 200:head 200 kept', 'GET / probe 0'],
            'nothing behind close' => ['9112 9.6', $get . $close . $get, '200 200 closed', 'GET / probe 0'],
            'nothing behind a wrong one' => ['9112 9.3.2', $get . $wrong . $get, '200 400 closed'],
            'a wrong body is not the next request' => ['9112 9.3.2', $get . Table::chunked("x\r\n") . $get, '200 400 closed'],
            'an empty line between two' => ['9112 2.2', "$get\r\n$get", '200 200 kept', 'GET / probe 0'],
            'HTTP/1.0 behind HTTP/1.1' => ['9112 9.3', $get . Table::request('GET /a HTTP/1.0'), '200 200 closed', 'GET /a probe 0'],
            'cut between two' => ['9112 9.3.2', [$get, $get], '200 200 kept', 'GET / probe 0'],
            'cut inside the second' => ['9112 9.3.2', Table::cut($get . $post, strlen($get) + 20), '200 200 kept', 'POST / probe 3 abc'],
            'one after the other' => ['9112 9.3', [$get, 1, $post, 1, $chunked, 1, $get, 1], '200 200 200 200 kept', 'GET / probe 0'],
            'POST behind a large one' => ['9112 9.3.2', Table::post(str_repeat('x', 300000), 'Content-Length: 300000') . $post, '200 200 kept', 'POST / probe 3 abc'],
        ];
    }
}
