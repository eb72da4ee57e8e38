<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Frame;
use Weft\WebSocketProbe\Probe;

/** 1: messages of one frame, at each border of its length's coding; 10: one in frames of 1,300 bytes. */
final class Framing
{
    private const LENGTHS = [0, 125, 126, 127, 128, 65535, 65536];

    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        $cases = [];
        foreach (['text' => [Frame::TEXT, '*'], 'binary' => [Frame::BINARY, "\xfe"]] as $kind => [$opcode, $byte]) {
            foreach (self::LENGTHS as $at => $length) {
                $payload = str_repeat($byte, $length);
                $cases["1.$opcode." . $at + 1] = Probe::echoed('6455 5.2', "a $kind of $length bytes", [Frame::make($opcode, $payload)], ["$kind $payload"]);
            }
            $payload = str_repeat($byte, 65536);
            $cases["1.$opcode.8"] = Probe::echoed('6455 5.2', "a $kind of 65536 bytes, in pieces of 997", Frame::chopped(Frame::make($opcode, $payload), 997), ["$kind $payload"]);
        }
        $payload = str_repeat('*', 65536);
        $cases['10.1.1'] = Probe::echoed('6455 5.4', 'a text of 65536 bytes, in frames of 1300', [implode('', Frame::message(Frame::TEXT, $payload, 1300))], ["text $payload"]);

        return $cases;
    }
}
