<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Fault;
use Weft\WebSocketProbe\Frame;
use Weft\WebSocketProbe\Kind;
use Weft\WebSocketProbe\Meeting;
use Weft\WebSocketProbe\Peer;
use Weft\WebSocketProbe\Probe;
use Weft\WebSocketProbe\Verdict;

/** 22: offers that are none, and compressed messages that are odd or wrong. */
final class Deflates
{
    private const OFFER = 'permessage-deflate';
    /** RFC 7692, 7.2.3.1: "Hello", and 7.2.3.2: a second one with the window of the first. */
    private const HELLO = "\xf2\x48\xcd\xc9\xc9\x07\x00";
    private const AGAIN = "\xf2\x00\x11\x00\x00";

    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        return self::offers() + self::right() + self::wrong();
    }

    /**
     * @return array<string, Probe>
     */
    private static function offers(): array
    {
        $wrong = [
            'an unknown parameter' => '; foo', 'a parameter that comes twice' => '; server_no_context_takeover; server_no_context_takeover',
            'a window of 16' => '; server_max_window_bits=16', 'a window of 7' => '; server_max_window_bits=7', 'a window of 08' => '; server_max_window_bits=08',
            'a window of nothing' => '; server_max_window_bits', 'a value where there is none' => '; server_no_context_takeover=1',
            'a client\'s window of 99' => '; client_max_window_bits=99',
        ];
        $cases = [];
        $number = 1;
        foreach ($wrong as $about => $parameters) {
            $offer = self::OFFER . $parameters;
            $two = "$offer, " . self::OFFER;
            $cases['22.1.' . $number++] = Probe::of('7692 7.1', "an offer with $about is declined", static fn (Meeting $meeting): Verdict => self::declined($meeting, $offer));
            $cases['22.1.' . $number++] = Probe::of('7692 5', "$about, and a second offer without", static fn (Meeting $meeting): Verdict => self::hello($meeting, $two));
        }
        $right = [
            'a window in quotes' => self::OFFER . '; server_max_window_bits="10"', 'a client\'s window of 10' => self::OFFER . '; client_max_window_bits=10',
            'another extension before' => 'x-webkit-deflate-frame, ' . self::OFFER, 'the smallest window' => self::OFFER . '; server_max_window_bits=9; client_max_window_bits=9',
        ];
        foreach ($right as $about => $offer) {
            $cases['22.1.' . $number++] = Probe::of('7692 7.1', $about, static fn (Meeting $meeting): Verdict => self::hello($meeting, $offer));
        }

        return $cases;
    }

    /**
     * @return array<string, Probe>
     */
    private static function right(): array
    {
        $make = static fn (string $bytes): string => Frame::make(Frame::TEXT, $bytes, rsv: 4);
        $half = static fn (bool $second): string => $second ? Frame::more(substr(self::HELLO, 3)) : Frame::make(Frame::TEXT, substr(self::HELLO, 0, 3), false, 4);
        $among = [$make(self::HELLO), Frame::text('plain'), $make(self::HELLO)];
        $cases = [
            '22.2.1' => ['7692 7.2.3.1', 'Hello', [$make(self::HELLO)], ['text Hello']],
            '22.2.2' => ['7692 7.2.3.1', 'Hello in two fragments', [implode('', Frame::message(Frame::TEXT, self::HELLO, 3, 4))], ['text Hello']],
            '22.2.3' => ['7692 7.2.3.3', 'Hello in a block that is not compressed', [$make("\x00\x05\x00\xfa\xffHello\x00")], ['text Hello']],
            '22.2.4' => ['7692 7.2.3.4', 'Hello in a block that says it is the last', [$make("\xf3\x48\xcd\xc9\xc9\x07\x00\x00")], ['text Hello']],
            '22.2.5' => ['7692 7.2.3.5', 'Hello in two blocks', [$make("\xf2\x48\x05\x00\x00\x00\xff\xff\xca\xc9\xc9\x07\x00")], ['text Hello']],
            '22.2.6' => ['7692 7.2.3.6', 'nothing, compressed', [$make("\x00")], ['text ']],
            '22.2.7' => ['7692 7.2.3.2', 'Hello twice, the second one known from the first', [$make(self::HELLO), $make(self::AGAIN)], ['text Hello', 'text Hello']],
            '22.2.8' => ['7692 6', 'what is not compressed, between two that are', $among, ['text Hello', 'text plain', 'text Hello']],
            '22.2.9' => ['7692 6.1', 'a ping between the fragments', [$half(false) . Frame::ping('x') . $half(true)], ['pong x', 'text Hello']],
            '22.2.10' => ['7692 6.1', 'an empty first fragment', [Frame::make(Frame::TEXT, '', false, 4) . Frame::more(self::HELLO)], ['text Hello']],
        ];

        return array_map(static fn (array $case): Probe => Probe::of($case[0], $case[1], static function (Meeting $meeting) use ($case): Verdict {
            $peer = self::agreed($meeting, self::OFFER);
            if ($case[0] === '7692 7.2.3.2' && $peer->deflate?->clientForgets === true) {
                return new Verdict(Kind::Informational, 'the server has the client keep no window');
            }
            Probe::go($peer, $case[2]);
            Probe::expect($peer, $case[3]);

            return Probe::bye($peer);
        }), $cases);
    }

    /**
     * @return array<string, Probe>
     */
    private static function wrong(): array
    {
        $failed = self::failed(...);
        $half = static fn (bool $second, int $rsv): string => $second
            ? Frame::make(Frame::MORE, substr(self::HELLO, 3), true, $rsv)
            : Frame::make(Frame::TEXT, substr(self::HELLO, 0, 3), false, $rsv);
        $make = static fn (string $bytes, int $opcode = Frame::TEXT): string => Frame::make($opcode, $bytes, rsv: 4);
        $bomb = static fn (): string => substr((string) gzdeflate(str_repeat("\0", 100_000_000), 9), 0, -1) . "\0";

        return [
            '22.3.1' => $failed('7692 6.1', 'RSV1 in a continuation', [$half(false, 4) . $half(true, 4)], [1002]),
            '22.3.2' => $failed('7692 6.1', 'RSV1 in a continuation of what is not compressed', [Frame::text('a', false) . Frame::make(Frame::MORE, 'b', true, 4)], [1002]),
            '22.3.3' => $failed('7692 6', 'RSV1 in a ping', [Frame::make(Frame::PING, 'x', rsv: 4)], [1002]),
            '22.3.4' => $failed('6455 5.2', 'RSV2 in a text', [Frame::make(Frame::TEXT, self::HELLO, rsv: 6)], [1002]),
            '22.3.5' => $failed('7692 7.2.2', 'what is no DEFLATE', [$make("\xff\xff\xff\xff")], [1002, 1007]),
            '22.3.6' => $failed('7692 7.2.2', 'a distance beyond the window', [$make(self::AGAIN)], [1002, 1007]),
            '22.3.7' => $failed('6455 8.1', 'a text that is no UTF-8 when it is plain', [$make("\x00\x02\x00\xfd\xff\xc3\x28\x00")], [1007]),
            '22.3.8' => $failed('6455 8.1', 'a text that is cut in the middle of a character', [$make("\x00\x01\x00\xfe\xff\xc3\x00")], [1007]),
            '22.3.9' => Probe::of('7692 8', 'a hundred megabytes in a hundred kilobytes', static function (Meeting $meeting) use ($bomb, $make): Verdict {
                $peer = self::agreed($meeting, self::OFFER);
                $peer->send($make($bomb(), Frame::BINARY));
                if (!$peer->awaitClose(10 * $meeting->patience)) {
                    throw new Fault('the connection is not failed');
                }

                return $peer->events === [] ? Probe::judged($peer, [1009]) : throw new Fault('it is taken');
            }),
        ];
    }

    /**
     * @param list<string> $steps
     * @param list<int> $codes
     */
    private static function failed(string $section, string $about, array $steps, array $codes): Probe
    {
        return Probe::failed($section, $about, $steps, [], $codes, self::OFFER);
    }

    private static function agreed(Meeting $meeting, string $offer): Peer
    {
        $peer = $meeting->peer($offer);

        return $peer->deflate === null ? throw new Fault('permessage-deflate is declined', Kind::Unimplemented) : $peer;
    }

    private static function hello(Meeting $meeting, string $offer): Verdict
    {
        $peer = self::agreed($meeting, $offer);
        $peer->send(Frame::make(Frame::TEXT, $peer->deflate?->compress('Hello') ?? '', rsv: 4));
        Probe::expect($peer, ['text Hello']);

        return Probe::bye($peer);
    }

    private static function declined(Meeting $meeting, string $offer): Verdict
    {
        $opening = $meeting->wire()->open($meeting->path, ['Sec-WebSocket-Extensions' => $offer]);
        $answer = $opening->header('sec-websocket-extensions');

        return match (true) {
            $answer !== '' => throw new Fault("it is answered: $answer"),
            // RFC 7692, 5: who can't take an offer declines it; a 400 is what libraries do that take it for an error
            $opening->status === 400 => new Verdict(Kind::NonStrict, 'the whole handshake is refused'),
            $opening->status !== ($meeting->isHttp2() ? 200 : 101) => throw new Fault("the handshake has $opening->status"),
            default => new Verdict(Kind::Ok),
        };
    }
}
