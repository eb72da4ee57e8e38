<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Weft\WebSocketProbe\Frame;
use Weft\WebSocketProbe\Probe;

/** 6.5 to 6.23: sequences of bytes that are UTF-8, or nearly. */
final class Utf8
{
    /** What lacks its last byte. */
    private const CUT = [
        "\xc0", "\xe0\x80", "\xf0\x80\x80", "\xf8\x80\x80\x80", "\xfc\x80\x80\x80\x80", "\xdf", "\xef\xbf", "\xf7\xbf\xbf", "\xfb\xbf\xbf\xbf", "\xfd\xbf\xbf\xbf\xbf",
    ];

    /**
     * @return array<string, Probe>
     */
    public static function cases(): array
    {
        $cases = [];
        $group = 5;
        foreach (self::groups() as $name => $texts) {
            foreach ($texts as $at => $text) {
                $bytes = strlen($text) > 16 ? strlen($text) . ' bytes' : bin2hex($text);
                $cases["6.$group." . $at + 1] = mb_check_encoding($text, 'UTF-8')
                    ? Probe::echoed('6455 5.6', "$name: $bytes", [Frame::text($text)], ["text $text"])
                    : Probe::failed('6455 8.1', "$name: $bytes", [Frame::text($text)], [], [1007]);
            }
            $group++;
        }

        return $cases;
    }

    /**
     * In the order of Autobahn's, so that the numbers are the same.
     *
     * @return array<string, list<string>>
     */
    private static function groups(): array
    {
        $greek = "\u{03ba}\u{1f79}\u{03c3}\u{03bc}\u{03b5}";
        $specials = array_map(static fn (int $last): string => "\xef\xbf" . chr($last), range(0xb9, 0xbf));

        return [
            'UTF-8' => ['hello$world', "hello\u{a2}world", "hello\u{20ac}world", "hello\u{24b62}world", $greek],
            'a beginning of Greek' => array_map(static fn (int $length): string => substr($greek, 0, $length), range(1, strlen($greek))),
            'the first of its length' => ["\0", "\u{80}", "\u{800}", "\u{10000}"],
            'the first of five and six bytes' => ["\xf8\x88\x80\x80\x80", "\xfc\x84\x80\x80\x80\x80"],
            'the last of its length' => ["\x7f", "\u{7ff}", "\u{ffff}", "\u{10ffff}"],
            'the last of four, five and six bytes' => ["\xf7\xbf\xbf\xbf", "\xfb\xbf\xbf\xbf\xbf", "\xfd\xbf\xbf\xbf\xbf\xbf"],
            'at a border' => ["\u{d7ff}", "\u{e000}", "\u{fffd}", "\u{10ffff}", "\xf4\x90\x80\x80"],
            'continuation bytes' => [
                "\x80", "\xbf", "\x80\xbf", "\x80\xbf\x80", "\x80\xbf\x80\xbf", "\x80\xbf\x80\xbf\x80", "\x80\xbf\x80\xbf\x80\xbf",
                implode('', array_map(chr(...), range(0x80, 0xbe))),
            ],
            'starts without a continuation' => self::lonely(),
            'the last byte is missing' => self::CUT,
            'several of which the last byte is missing' => [implode('', self::CUT)],
            'bytes that are never there' => ["\xfe", "\xff", "\xfe\xfe\xff\xff"],
            'a slash in too many bytes' => ["\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xf8\x80\x80\x80\xaf", "\xfc\x80\x80\x80\x80\xaf"],
            'the greatest in too many bytes' => ["\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xf8\x87\xbf\xbf\xbf", "\xfc\x83\xbf\xbf\xbf\xbf"],
            'NUL in too many bytes' => ["\xc0\x80", "\xe0\x80\x80", "\xf0\x80\x80\x80", "\xf8\x80\x80\x80\x80", "\xfc\x80\x80\x80\x80\x80"],
            'a surrogate' => ["\xed\xa0\x80", "\xed\xad\xbf", "\xed\xae\x80", "\xed\xaf\xbf", "\xed\xb0\x80", "\xed\xbe\x80", "\xed\xbf\xbf"],
            'a pair of surrogates' => self::pairs(),
            'no character, but UTF-8' => self::noCharacters(),
            'a special one' => $specials,
        ];
    }

    /**
     * @return list<string>
     */
    private static function lonely(): array
    {
        $all = [];
        foreach ([[0xc0, 0xde], [0xe0, 0xee], [0xf0, 0xf6], [0xf8, 0xfa], [0xfc, 0xfc]] as [$from, $to]) {
            $all[] = implode('', array_map(static fn (int $byte): string => chr($byte) . ' ', range($from, $to)));
        }

        return $all;
    }

    /**
     * @return list<string>
     */
    private static function pairs(): array
    {
        $all = [];
        foreach (["\xed\xa0\x80", "\xed\xad\xbf", "\xed\xae\x80", "\xed\xaf\xbf"] as $high) {
            foreach (["\xed\xb0\x80", "\xed\xbf\xbf"] as $low) {
                $all[] = $high . $low;
            }
        }

        return $all;
    }

    /**
     * @return list<string>
     */
    private static function noCharacters(): array
    {
        $all = ["\u{fffe}", "\u{ffff}"];
        for ($plane = 1; $plane <= 16; $plane++) {
            array_push($all, mb_chr($plane << 16 | 0xfffe), mb_chr($plane << 16 | 0xffff));
        }

        return array_values(array_filter($all, is_string(...)));
    }
}
