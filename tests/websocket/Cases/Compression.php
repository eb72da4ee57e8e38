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

/**
 * 12 and 13: many compressed messages of five kinds of data, in all the sizes and fragments of Autobahn's, with every
 * combination of parameters. The data are of the same kinds, made here; how many of each is for who runs it to say.
 */
final class Compression
{
    /** Length of a message, and of its fragments (0: one). */
    private const SIZES = [
        [16, 0], [64, 0], [256, 0], [1024, 0], [4096, 0], [8192, 0], [16384, 0], [32768, 0], [65536, 0], [131072, 0],
        [8192, 256], [16384, 256], [32768, 256], [65536, 256], [131072, 256], [131072, 1024], [131072, 4096], [131072, 32768],
    ];
    private const OFFER = 'permessage-deflate; client_no_context_takeover; client_max_window_bits';
    /** What 13 adds to it. */
    private const PARAMETERS = [
        [''],
        ['; server_no_context_takeover'],
        ['; server_max_window_bits=9'],
        ['; server_max_window_bits=15'],
        ['; server_no_context_takeover; server_max_window_bits=9'],
        ['; server_no_context_takeover; server_max_window_bits=15'],
        ['; server_no_context_takeover; server_max_window_bits=9', '; server_no_context_takeover', ''],
    ];

    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        $cases = [];
        foreach (Data::KINDS as $group => $kind) {
            foreach (self::SIZES as $at => [$length, $each]) {
                $cases['12.' . $group + 1 . '.' . $at + 1] = self::many($kind, $length, $each, self::OFFER);
            }
        }
        foreach (self::PARAMETERS as $group => $parameters) {
            $offer = implode(', ', array_map(static fn (string $more): string => self::OFFER . $more, $parameters));
            foreach (self::SIZES as $at => [$length, $each]) {
                $cases['13.' . $group + 1 . '.' . $at + 1] = self::many('json', $length, $each, $offer);
            }
        }

        return $cases;
    }

    private static function many(string $kind, int $length, int $each, string $offer): Probe
    {
        $about = "many messages of $length bytes of $kind" . ($each > 0 ? " in fragments of $each" : '') . ", $offer";

        return Probe::of('7692 7.2', $about, static function (Meeting $meeting) use ($kind, $length, $each, $offer): Verdict {
            $peer = $meeting->peer($offer);
            if ($peer->deflate === null) {
                throw new Fault('permessage-deflate is declined', Kind::Unimplemented);
            }
            $data = Data::of($kind);
            $opcode = $kind === 'json' ? Frame::TEXT : Frame::BINARY;
            for ($n = 0, $at = 0; $n < $meeting->messages; $n++, $at = ($at + $length) % strlen($data)) {
                self::one($peer, $opcode, self::from($data, $at, $length), $each);
            }

            return Probe::bye($peer);
        });
    }

    private static function one(Peer $peer, int $opcode, string $message, int $each): void
    {
        $compressed = $peer->deflate?->compress($message) ?? '';
        $peer->events = [];
        $peer->send(implode('', Frame::message($opcode, $compressed, $each, 4)));
        Probe::expect($peer, [($opcode === Frame::TEXT ? 'text ' : 'binary ') . $message]);
    }

    /** Around the end, where there is one. */
    private static function from(string $data, int $at, int $length): string
    {
        return substr($data, $at, $length) . substr($data, 0, max(0, $at + $length - strlen($data)));
    }
}
