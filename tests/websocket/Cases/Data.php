<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe\Cases;

use Random\Engine\Mt19937;
use Random\Randomizer;

/** Some 200 KB of each kind, the same in each run: what compresses well, less well, and not at all. */
final class Data
{
    /** In the order of Autobahn's. */
    public const KINDS = ['json', 'picture', 'text', 'html', 'archive'];
    private const LENGTH = 200_000;
    private const WORDS = [
        'und', 'der', 'Geist', 'ist', 'nicht', "h\u{f6}ren", 'was', "f\u{fc}r", 'ein', 'Wort', 'Licht', "Stra\u{df}e", 'Welt', 'am', 'Anfang', 'war', 'die',
        'Tat', 'wer', 'immer', 'strebend', 'sich', "bem\u{fc}ht", 'den', "k\u{f6}nnen", 'wir', "erl\u{f6}sen", 'Augenblick', 'verweile', 'doch',
    ];

    public static function of(string $kind): string
    {
        static $made = [];
        assert(is_array($made));
        $made[$kind] ??= self::make($kind, new Randomizer(new Mt19937(20)));

        return is_string($made[$kind]) ? $made[$kind] : '';
    }

    private static function make(string $kind, Randomizer $random): string
    {
        $data = '';
        for ($n = 0; strlen($data) < self::LENGTH; $n++) {
            $word = self::WORDS[$random->getInt(0, count(self::WORDS) - 1)];
            $data .= match ($kind) {
                // ASCII: a text may be cut anywhere
                'json' => sprintf('{"id":%d,"name":"user %d","active":%s,"tags":["a%d","b"]},', $n, $random->getInt(0, 9999), $n % 3 ? 'true' : 'false', $n % 17),
                'picture' => chr(128 + (int) (64 * sin($n / 40) + 32 * sin($n / 512 / 9)) + $random->getInt(0, 7)),
                'text' => $word . ($n % 9 === 8 ? ".\n" : ' '),
                'html' => "<li class=\"item item-$n\"><a href=\"/page/{$random->getInt(0, 999)}\">$word</a></li>\n",
                default => $random->getBytes(1024),
            };
        }

        return $data;
    }
}
