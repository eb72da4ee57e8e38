<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Fault;
use Weft\WebSocketProbe\Frame;
use Weft\WebSocketProbe\Meeting;
use Weft\WebSocketProbe\Probe;
use Weft\WebSocketProbe\Verdict;

/** 9: large messages, in one frame, in many, in small pieces; and many messages, one after the other. */
final class Sizes
{
    private const KINDS = ['text' => [Frame::TEXT, 'BAsd7&jh23'], 'binary' => [Frame::BINARY, "\x00\xfe\x23\xfa\xf0"]];
    private const MEBI = 1 << 20;

    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        $cases = [];
        $second = 0;
        foreach (self::KINDS as $kind => [$opcode, $some]) {
            $second++;
            foreach ([65536, 262144, self::MEBI, 4 * self::MEBI, 8 * self::MEBI, 16 * self::MEBI] as $at => $length) {
                $cases["9.$second." . $at + 1] = self::large("a $kind of $length bytes", $kind, $opcode, $some, $length);
            }
            foreach ([64, 256, 1024, 4096, 16384, 65536, 262144, self::MEBI, 4 * self::MEBI] as $at => $each) {
                $cases['9.' . $second + 2 . '.' . $at + 1] = self::large("a $kind of 4 MiB in fragments of $each", $kind, $opcode, $some, 4 * self::MEBI, $each);
            }
            foreach ([64, 128, 256, 512, 1024, 2048] as $at => $chop) {
                $cases['9.' . $second + 4 . '.' . $at + 1] = self::large("a $kind of 1 MiB in pieces of $chop", $kind, $opcode, $some, self::MEBI, 0, $chop);
            }
            foreach ([0, 16, 64, 256, 1024, 4096] as $at => $length) {
                $cases['9.' . $second + 6 . '.' . $at + 1] = self::many($kind, $opcode, str_repeat($some[0] === 'B' ? '*' : "\xfe", $length));
            }
        }
        uksort($cases, strnatcmp(...));

        return $cases;
    }

    private static function large(string $about, string $kind, int $opcode, string $some, int $length, int $each = 0, int $chop = 0): Probe
    {
        return Probe::of('6455 5.4', $about, static function (Meeting $meeting) use ($kind, $opcode, $some, $length, $each, $chop): Verdict {
            $payload = substr(str_repeat($some, intdiv($length, strlen($some)) + 1), 0, $length);
            $bytes = implode('', Frame::message($opcode, $payload, $each));
            $peer = $meeting->peer();
            foreach ($chop > 0 ? Frame::chopped($bytes, $chop) : [$bytes] as $piece) {
                $peer->send($piece);
            }
            $peer->await(1, 10 * $meeting->patience);
            if ($peer->events !== ["$kind $payload"]) {
                throw new Fault(Probe::told($peer->events) . ($peer->closeCode === null ? '' : ", a close with $peer->closeCode") . ' instead of what was sent');
            }

            return Probe::bye($peer);
        });
    }

    private static function many(string $kind, int $opcode, string $payload): Probe
    {
        $about = "many of a $kind of " . strlen($payload) . ' bytes, each after the answer to the last';

        return Probe::of('6455 5.2', $about, static function (Meeting $meeting) use ($kind, $opcode, $payload): Verdict {
            $peer = $meeting->peer();
            for ($n = 0; $n < $meeting->messages; $n++) {
                $peer->events = [];
                $peer->send(Frame::make($opcode, $payload));
                Probe::expect($peer, ["$kind $payload"]);
            }

            return Probe::bye($peer);
        });
    }
}
