<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Fault;
use Weft\WebSocketProbe\Frame;
use Weft\WebSocketProbe\Kind;
use Weft\WebSocketProbe\Meeting;
use Weft\WebSocketProbe\Probe;
use Weft\WebSocketProbe\Verdict;

/** 7: closes, right ones and wrong ones. */
final class Closing
{
    private const VALID = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
    private const INVALID = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999];

    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        $hello = 'Hello World!';
        $text = Frame::text($hello);
        $close = Frame::close(1000);
        $surrogate = "\u{03ba}\u{1f79}\u{03c3}\u{03bc}\u{03b5}\xed\xa0\x80edited";

        return [
            '7.1.1' => Probe::echoed('6455 5.5.1', 'a text, then a close', [$text], ["text $hello"]),
            '7.1.2' => Probe::closed('6455 5.5.1', 'two closes', [$close . Frame::close()]),
            '7.1.3' => Probe::closed('6455 5.5.1', 'a ping after the close', [$close . Frame::ping()]),
            '7.1.4' => Probe::closed('6455 5.5.1', 'a text after the close', [$close . $text]),
            '7.1.5' => Probe::closed('6455 5.5.1', 'a fragment, a close, a fragment', [Frame::text('fragment1', false) . $close . Frame::more('fragment2')]),
            '7.1.6' => Probe::of('6455 5.5.1', 'a text of 256 KB, a short one, a close, a ping', self::muchThenClose(...)),
            '7.3.1' => Probe::closed('6455 5.5.1', 'a close without a code', [Frame::close()], [0, 1000]),
            '7.3.2' => Probe::closed('6455 5.5.1', 'a close with one byte', [Frame::make(Frame::CLOSE, 'a')], [1002]),
            '7.3.3' => Probe::closed('6455 5.5.1', 'a close with a code', [$close]),
            '7.3.4' => Probe::closed('6455 5.5.1', 'a close with a code and a reason', [Frame::close(1000, $hello)]),
            '7.3.5' => Probe::closed('6455 5.5.1', 'a reason of 123 bytes', [Frame::close(1000, str_repeat('*', 123))]),
            '7.3.6' => Probe::closed('6455 5.5', 'a reason of 124 bytes', [Frame::close(1000, str_repeat('*', 124))], [1002]),
            '7.5.1' => Probe::closed('6455 8.1', 'a reason that is no UTF-8', [Frame::close(1000, $surrogate)], [1002, 1007]),
        ] + self::codes();
    }

    /**
     * @return array<string, Probe>
     */
    private static function codes(): array
    {
        $cases = [];
        foreach (self::VALID as $at => $code) {
            $cases['7.7.' . $at + 1] = Probe::closed('6455 7.4', "a close with $code", [Frame::close($code)], [1000, $code]);
        }
        foreach (self::INVALID as $at => $code) {
            $cases['7.9.' . $at + 1] = Probe::closed('6455 7.4', "a close with $code", [Frame::close($code)], [1002]);
        }
        foreach ([5000, 65535] as $at => $code) {
            $cases['7.13.' . $at + 1] = Probe::of('6455 7.4.2', "a close with $code, which the RFC does not know", static function (Meeting $meeting) use ($code): Verdict {
                $peer = $meeting->peer();
                $peer->hasSaidClose();
                $peer->send(Frame::close($code));
                $peer->awaitClose();

                return new Verdict(Kind::Informational, $peer->closeCode === null ? 'no close' : "a close with $peer->closeCode");
            });
        }

        return $cases;
    }

    /** A server may answer the close before it has answered what came before. But who answers the text says all of it. */
    private static function muchThenClose(Meeting $meeting): Verdict
    {
        $much = str_repeat('BAsd7&jh23', 26215);
        $peer = $meeting->peer();
        $peer->hasSaidClose();
        $peer->send(Frame::text($much) . Frame::text('Hello World!') . Frame::close(1000) . Frame::ping());
        $peer->awaitClose();
        if (!in_array($peer->events, [[], ["text $much"], ["text $much", 'text Hello World!']], true)) {
            throw new Fault('what came before the close is ' . Probe::told($peer->events));
        }
        $verdict = Probe::judged($peer, [1000]);

        return $verdict->kind === Kind::Ok ? new Verdict(Kind::Informational, count($peer->events) . ' of 2 texts were answered before the close') : $verdict;
    }
}
