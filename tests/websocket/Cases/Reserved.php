<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Frame;
use Weft\WebSocketProbe\Probe;

/** 3: reserved bits without an extension; 4: reserved opcodes. */
final class Reserved
{
    private const SAYS = 'Hello, world!';

    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        return self::bits() + self::opcodes();
    }

    /**
     * @return array<string, Probe>
     */
    private static function bits(): array
    {
        $text = Frame::text(self::SAYS);
        $wrong = static fn (int $rsv): string => Frame::make(Frame::TEXT, self::SAYS, rsv: $rsv);
        $ping = Frame::ping();
        $first = ['text ' . self::SAYS];

        return [
            '3.1' => Probe::failed('6455 5.2', 'a text with RSV 1', [$wrong(1)]),
            '3.2' => Probe::failed('6455 5.2', 'a text, one with RSV 2, and a ping', [$text . $wrong(2) . $ping], $first),
            '3.3' => Probe::failed('6455 5.2', 'a text, one with RSV 3, and a ping, frame by frame', [$text, $wrong(3), $ping], $first),
            '3.4' => Probe::failed('6455 5.2', 'a text, one with RSV 4, and a ping, byte by byte', Frame::chopped($text . $wrong(4) . $ping, 1), $first),
            '3.5' => Probe::failed('6455 5.2', 'a binary with RSV 5', [Frame::make(Frame::BINARY, "\x00\xff\xfe\xfd\xfc\xfb\x00\xff", rsv: 5)]),
            '3.6' => Probe::failed('6455 5.2', 'a ping with RSV 6', [Frame::make(Frame::PING, self::SAYS, rsv: 6)]),
            '3.7' => Probe::failed('6455 5.2', 'a close with RSV 7', [Frame::make(Frame::CLOSE, rsv: 7)]),
        ];
    }

    /**
     * @return array<string, Probe>
     */
    private static function opcodes(): array
    {
        $text = Frame::text(self::SAYS);
        $ping = Frame::ping();
        $first = ['text ' . self::SAYS];
        $cases = [];
        foreach ([1 => 3, 11] as $group => $opcode) {
            $bare = static fn (int $more): string => Frame::make($opcode + $more);
            $full = static fn (int $more): string => Frame::make($opcode + $more, self::SAYS);
            $lines = [
                ['alone', [$bare(0)], []],
                ['with a payload', [$full(1)], []],
                ['after a text, before a ping', [$text . $bare(2) . $ping], $first],
                ['with a payload, after a text, before a ping', [$text . $full(3) . $ping], $first],
                ['with a payload, after a text, before a ping, byte by byte', Frame::chopped($text . $full(4) . $ping, 1), $first],
            ];
            foreach ($lines as $at => [$about, $steps, $events]) {
                $cases["4.$group." . $at + 1] = Probe::failed('6455 5.2', 'opcode ' . $opcode + $at . ", $about", $steps, $events);
            }
        }

        return $cases;
    }
}
