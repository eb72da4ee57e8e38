<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Frame;
use Weft\WebSocketProbe\Probe;

/** 21: frames without a mask, lengths that lie, messages that are too large. */
final class Lies
{
    /** More than any server takes that has a limit at all. */
    private const HUGE = 1 << 40;

    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        $bare = static fn (int $opcode, string $payload): string => chr(0x80 | $opcode) . chr(strlen($payload)) . $payload;
        $head = static fn (int $opcode, string $length): string => chr(0x80 | $opcode) . $length . "\0\0\0\0";
        $first = Frame::text('first');
        $answered = ['text first'];
        $long = str_repeat('x', 126);
        $many = static fn (string $frames, int $times): string => Frame::text('a', false) . str_repeat($frames, $times) . Frame::more('c');
        $texts = implode('', array_map(static fn (int $n): string => Frame::text("$n"), range(1, 1000)));

        return [
            '21.1' => Probe::failed('6455 5.1', 'a text without a mask', [$bare(Frame::TEXT, 'Hello')]),
            '21.2' => Probe::failed('6455 5.1', 'a text, and one without a mask', [$first, 1, $bare(Frame::TEXT, 'Hello')], $answered),
            '21.3' => Probe::failed('6455 5.1', 'a ping without a mask', [$bare(Frame::PING, 'Hello')]),
            '21.4' => Probe::failed('6455 5.1', 'a close without a mask', [$bare(Frame::CLOSE, "\x03\xe8")]),
            '21.5' => Probe::failed('6455 5.2', 'a length of 5 in two bytes', [$head(Frame::TEXT, "\xfe\0\5") . 'Hello']),
            '21.6' => Probe::failed('6455 5.2', 'a length of 5 in eight bytes', [$head(Frame::TEXT, "\xff\0\0\0\0\0\0\0\5") . 'Hello']),
            '21.7' => Probe::failed('6455 5.2', 'a length of 126 in eight bytes', [$head(Frame::TEXT, "\xff\0\0\0\0\0\0\0\x7e") . $long]),
            '21.8' => Probe::failed('6455 5.2', 'a length of which the first bit is set', [$head(Frame::TEXT, "\xff\x80\0\0\0\0\0\0\0")], [], [1002, 1009]),
            '21.9' => Probe::failed('6455 10.4', 'a frame of a terabyte', [$head(Frame::BINARY, "\xff" . pack('J', self::HUGE)) . 'Hello'], [], [1009]),
            '21.10' => Probe::failed('6455 5.5', 'a ping with a length in two bytes', [$head(Frame::PING, "\xfe\0\5") . 'Hello']),
            '21.11' => Probe::echoed('6455 5.3', 'a mask of zeros', [Frame::make(Frame::TEXT, 'Hello', mask: "\0\0\0\0")], ['text Hello']),
            '21.12' => Probe::echoed('6455 5.4', 'ten thousand empty fragments', [$many(Frame::more('', false), 10_000)], ['text ac']),
            '21.13' => Probe::echoed(
                '6455 5.4',
                'pings among fragments of one byte',
                [$many(Frame::ping('x') . Frame::more('b', false), 50)],
                [...array_fill(0, 50, 'pong x'), 'text a' . str_repeat('b', 50) . 'c'],
            ),
            '21.14' => Probe::echoed('6455 5.4', 'a thousand texts at once', [$texts], array_map(static fn (int $n): string => "text $n", range(1, 1000))),
        ];
    }
}
