<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Frame;
use Weft\WebSocketProbe\Probe;

/** 5: messages in fragments, right ones and wrong ones. */
final class Fragments
{
    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        return self::control() + self::right() + self::wrong();
    }

    /**
     * @return array<string, Probe>
     */
    private static function control(): array
    {
        $two = static fn (int $opcode): array => [Frame::make($opcode, 'fragment1', false) . Frame::more('fragment2')];

        return [
            '5.1' => Probe::failed('6455 5.5', 'a ping in two fragments', $two(Frame::PING)),
            '5.2' => Probe::failed('6455 5.5', 'a pong in two fragments', $two(Frame::PONG)),
        ];
    }

    /**
     * @return array<string, Probe>
     */
    private static function right(): array
    {
        $two = [Frame::text('fragment1', false), Frame::more('fragment2')];
        $three = [$two[0], Frame::ping('ping payload'), $two[1]];
        $one = static fn (string ...$frames): string => implode('', $frames);
        $message = 'text fragment1fragment2';
        $pinged = ['pong ping payload', $message];
        // the first pong comes before the rest is sent
        $first = [Frame::text('fragment1', false), Frame::more('fragment2', false), Frame::ping('pongme 1!')];
        $rest = [Frame::more('fragment3', false), Frame::more('fragment4', false), Frame::ping('pongme 2!'), Frame::more('fragment5')];
        $all = ['pong pongme 1!', 'pong pongme 2!', 'text fragment1fragment2fragment3fragment4fragment5'];

        return [
            '5.3' => Probe::echoed('6455 5.4', 'a text in two fragments', [$one(...$two)], [$message]),
            '5.4' => Probe::echoed('6455 5.4', 'one by one', $two, [$message]),
            '5.5' => Probe::echoed('6455 5.4', 'byte by byte', Frame::chopped($one(...$two), 1), [$message]),
            '5.6' => Probe::echoed('6455 5.4', 'a ping between two fragments', [$one(...$three)], $pinged),
            '5.7' => Probe::echoed('6455 5.4', 'the same, frame by frame', $three, $pinged),
            '5.8' => Probe::echoed('6455 5.4', 'the same, byte by byte', Frame::chopped($one(...$three), 1), $pinged),
            '5.19' => Probe::echoed('6455 5.4', 'two pings among five fragments: each has its pong at once', [$one(...$first), 1, $one(...$rest)], $all),
            '5.20' => Probe::echoed('6455 5.4', 'the same, frame by frame', [...$first, 1, ...$rest], $all),
        ];
    }

    /**
     * @return array<string, Probe>
     */
    private static function wrong(): array
    {
        $cases = [];
        $number = 9;
        foreach (['the last' => true, 'not the last' => false] as $which => $fin) {
            $frames = [Frame::more('non-continuation payload', $fin), Frame::text('Hello, world!')];
            $ways = [
                'at once' => [implode('', $frames)],
                'frame by frame' => $frames,
                'byte by byte' => Frame::chopped(implode('', $frames), 1),
            ];
            foreach ($ways as $how => $steps) {
                $cases['5.' . $number++] = Probe::failed('6455 5.4', "a continuation of nothing, $which, and a text, $how", $steps);
            }
        }
        $text = Frame::text('fragment1', false) . Frame::more('fragment2');
        $again = static fn (bool $fin): string => str_repeat(Frame::more('fragment1', $fin) . Frame::text('fragment2', false) . Frame::more('fragment3'), 2);

        return $cases + [
            '5.15' => Probe::failed(
                '6455 5.4',
                'a text in two fragments, then a continuation of nothing',
                [$text . Frame::more('fragment3', false) . Frame::text('fragment4')],
                ['text fragment1fragment2'],
            ),
            '5.16' => Probe::failed('6455 5.4', 'twice: a continuation of nothing, not the last, and a text in two fragments', [$again(false)]),
            '5.17' => Probe::failed('6455 5.4', 'twice: a continuation of nothing, the last, and a text in two fragments', [$again(true)]),
            '5.18' => Probe::failed('6455 5.4', 'a text in two fragments that both say text', [Frame::text('fragment1', false) . Frame::text('fragment2')]),
        ];
    }
}
