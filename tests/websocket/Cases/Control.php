<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Frame;
use Weft\WebSocketProbe\Probe;

/** 2: pings and pongs. */
final class Control
{
    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        $binary = "\x00\xff\xfe\xfd\xfc\xfb\x00\xff";
        $full = str_repeat("\xfe", 125);
        $pongs = $pings = [];
        for ($i = 0; $i < 10; $i++) {
            $pings[] = Frame::ping("payload-$i");
            $pongs[] = "pong payload-$i";
        }

        return [
            '2.1' => Probe::echoed('6455 5.5.2', 'a ping without a payload', [Frame::ping()], ['pong ']),
            '2.2' => Probe::echoed('6455 5.5.2', 'a ping with a text', [Frame::ping('Hello, world!')], ['pong Hello, world!']),
            '2.3' => Probe::echoed('6455 5.5.2', 'a ping with bytes that are no UTF-8', [Frame::ping($binary)], ["pong $binary"]),
            '2.4' => Probe::echoed('6455 5.5', 'a ping with 125 bytes', [Frame::ping($full)], ["pong $full"]),
            '2.5' => Probe::failed('6455 5.5', 'a ping with 126 bytes', [Frame::ping("$full\xfe")]),
            '2.6' => Probe::echoed('6455 5.5', 'a ping with 125 bytes, byte by byte', Frame::chopped(Frame::ping($full), 1), ["pong $full"]),
            '2.7' => Probe::echoed('6455 5.5.3', 'a pong that nobody asked for', [Frame::pong()], []),
            '2.8' => Probe::echoed('6455 5.5.3', 'one with a payload', [Frame::pong('unsolicited')], []),
            '2.9' => Probe::echoed('6455 5.5.3', 'one with a payload, and a ping', [Frame::pong('unsolicited') . Frame::ping('ping')], ['pong ping']),
            '2.10' => Probe::echoed('6455 5.5.2', 'ten pings', [implode('', $pings)], $pongs),
            '2.11' => Probe::echoed('6455 5.5.2', 'ten pings, byte by byte', Frame::chopped(implode('', $pings), 1), $pongs),
        ];
    }
}
