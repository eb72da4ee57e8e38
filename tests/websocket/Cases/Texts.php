<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Fault;
use Weft\WebSocketProbe\Frame;
use Weft\WebSocketProbe\Kind;
use Weft\WebSocketProbe\Meeting;
use Weft\WebSocketProbe\Probe;
use Weft\WebSocketProbe\Verdict;

/** 6.1 to 6.4: how texts are cut, and that wrong ones are noticed as soon as they can be. */
final class Texts
{
    /** Seconds that an error may take until it counts as noticed late, as Autobahn has it. */
    private const AT_ONCE = 1.0;
    /** Seconds in which nothing may happen. */
    private const WAITS = 0.05;
    private const GREEK = "\u{03ba}\u{1f79}\u{03c3}\u{03bc}\u{03b5}";

    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        $mixed = "Hello-\u{b5}@\u{df}\u{f6}\u{e4}\u{fc}\u{e0}\u{e1}-UTF-8!!";
        $middle = 'middle frame payload';
        $surrogate = self::GREEK . "\xed\xa0\x80edited";
        $bytes = static fn (string $text): array => [implode('', Frame::message(Frame::TEXT, $text, 1))];
        $of = static fn (string ...$three): array => [Frame::text($three[0], false) . Frame::more($three[1], false) . Frame::more($three[2])];

        return [
            '6.1.1' => Probe::echoed('6455 5.6', 'an empty text', [Frame::text('')], ['text ']),
            '6.1.2' => Probe::echoed('6455 5.4', 'an empty text in three fragments', $of('', '', ''), ['text ']),
            '6.1.3' => Probe::echoed('6455 5.4', 'a text in three fragments, of which the second is not empty', $of('', $middle, ''), ["text $middle"]),
            '6.2.1' => Probe::echoed('6455 5.6', 'UTF-8', [Frame::text($mixed)], ["text $mixed"]),
            '6.2.2' => Probe::echoed('6455 5.6', 'UTF-8 in two fragments', [Frame::text(substr($mixed, 0, 15), false) . Frame::more(substr($mixed, 15))], ["text $mixed"]),
            '6.2.3' => Probe::echoed('6455 5.6', 'UTF-8 in fragments of one byte', $bytes($mixed), ["text $mixed"]),
            '6.2.4' => Probe::echoed('6455 5.6', 'Greek in fragments of one byte', $bytes(self::GREEK), ['text ' . self::GREEK]),
            '6.3.1' => Probe::failed('6455 8.1', 'a surrogate in a text', [Frame::text($surrogate)], [], [1007]),
            '6.3.2' => Probe::failed('6455 8.1', 'a surrogate in a text in fragments of one byte', $bytes($surrogate), [], [1007]),
        ] + self::failsFast();
    }

    /**
     * @return array<string, Probe>
     */
    private static function failsFast(): array
    {
        $beyond = self::GREEK . "\xf4\x90\x80\x80edited"; // 0x110000: no text any more from its second byte on
        $pieces = static fn (int ...$at): array => [substr($beyond, 0, $at[0]), substr($beyond, $at[0], $at[1] - $at[0]), substr($beyond, $at[1])];
        $frames = static fn (string $one, string $two, string $three): array => [Frame::text($one, false), Frame::more($two, false), Frame::more($three)];
        $whole = Frame::text($beyond);
        $head = strlen($whole) - strlen($beyond);
        $chops = static fn (int ...$at): array => [substr($whole, 0, $head + $at[0]), substr($whole, $head + $at[0], $at[1] - $at[0]), substr($whole, $head + $at[1])];

        return [
            '6.4.1' => self::noticed('in the second of three fragments', $frames(...$pieces(11, 15))),
            '6.4.2' => self::noticed('in the second of three fragments, with its last byte', $frames(...$pieces(12, 13))),
            '6.4.3' => self::noticed('in the second of three pieces of a frame', $chops(11, 15)),
            '6.4.4' => self::noticed('in the second of three pieces of a frame, with its last byte', $chops(12, 13)),
        ];
    }

    /** @param array<string> $three */
    private static function noticed(string $where, array $three): Probe
    {
        return Probe::of('6455 8.1', "no UTF-8 $where", static function (Meeting $meeting) use ($three): Verdict {
            $peer = $meeting->peer();
            $peer->send($three[0]);
            if ($peer->awaitClose(self::WAITS)) {
                throw new Fault('the connection is failed before anything is wrong');
            }
            $peer->send($three[1]);
            $fast = $peer->awaitClose(self::AT_ONCE);
            if (!$fast) {
                $peer->send($three[2]);
                if (!$peer->awaitClose()) {
                    throw new Fault('the connection is not failed');
                }
            }
            $verdict = Probe::judged($peer, [1007]);

            return $fast ? $verdict : new Verdict(Kind::NonStrict, 'noticed only when the message was complete');
        });
    }
}
