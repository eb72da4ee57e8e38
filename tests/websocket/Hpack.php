<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

/** Field blocks of a server that was told to keep no table (RFC 7541). */
final class Hpack
{
    /** Bits of the codes of ' ' to '~', as letters: 'A' is 0. They are canonical. What is longer is in no header. */
    private const BITS = 'GKKMNGILKKILIGGGFFFGGGGGGGHIPGMKNGHHHHHHHHHHHHHHHHHHHHHHIHINTNOGPFGFGFGGGFHHGGGFGHGFFGHHHHHPLON';
    private const STATUS = [8 => '200', '204', '206', '304', '400', '404', '500'];
    private const NAMES = [
        1 => ':authority', ':method', ':method', ':path', ':path', ':scheme', ':scheme', ':status', ':status', ':status', ':status', ':status',
        ':status', ':status', 'accept-charset', 'accept-encoding', 'accept-language', 'accept-ranges', 'accept', 'access-control-allow-origin',
        'age', 'allow', 'authorization', 'cache-control', 'content-disposition', 'content-encoding', 'content-language', 'content-length',
        'content-location', 'content-range', 'content-type', 'cookie', 'date', 'etag', 'expect', 'expires', 'from', 'host', 'if-match',
        'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'last-modified', 'link', 'location', 'max-forwards',
        'proxy-authenticate', 'proxy-authorization', 'range', 'referer', 'refresh', 'retry-after', 'server', 'set-cookie',
        'strict-transport-security', 'transfer-encoding', 'user-agent', 'vary', 'via', 'www-authenticate',
    ];

    private int $at = 0;

    private function __construct(private readonly string $block)
    {
    }

    /**
     * @return array<string, list<string>>
     */
    public static function fields(string $block): array
    {
        $reader = new self($block);
        $fields = [];
        while ($reader->at < strlen($block)) {
            $first = ord($block[$reader->at]);
            if (($first & 0xe0) === 0x20) { // an update of the table's size
                $reader->integer(5);
                continue;
            }
            $indexed = ($first & 0x80) !== 0;
            $index = $reader->integer($indexed ? 7 : (($first & 0x40) !== 0 ? 6 : 4));
            $name = $index === 0 ? $reader->string() : self::NAMES[$index] ?? throw new Fault("HPACK: index $index is not in the static table");
            $fields[$name][] = $indexed ? self::STATUS[$index] ?? '' : $reader->string();
        }

        return $fields;
    }

    private function byte(): int
    {
        return ord($this->block[$this->at++] ?? throw new Fault('HPACK: a field block is cut off'));
    }

    private function integer(int $bits): int
    {
        $most = (1 << $bits) - 1;
        $value = $this->byte() & $most;
        if ($value === $most) {
            $shift = 0;
            do {
                $byte = $this->byte();
                $value += ($byte & 127) << $shift;
                $shift += 7;
            } while ($byte > 127);
        }

        return $value;
    }

    private function string(): string
    {
        $coded = (ord($this->block[$this->at] ?? "\0") & 128) !== 0;
        $length = $this->integer(7);
        $bytes = substr($this->block, $this->at, $length);
        $this->at += $length;

        return $coded ? self::plain($bytes) : $bytes;
    }

    private static function plain(string $coded): string
    {
        static $symbols = null;
        $symbols ??= self::codes();
        assert(is_array($symbols));
        [$text, $bits] = ['', ''];
        foreach (str_split($coded) as $byte) {
            foreach (str_split(sprintf('%08b', ord($byte))) as $bit) {
                $bits .= $bit;
                if (isset($symbols[$bits]) && is_string($symbols[$bits])) {
                    [$text, $bits] = [$text . $symbols[$bits], ''];
                }
            }
        }
        if (strlen($bits) > 7) {
            throw new Fault('HPACK: no code of a printable character');
        }

        return $text;
    }

    /**
     * @return array<int|string, string>
     */
    private static function codes(): array
    {
        $lengths = [0 => 13];
        foreach (str_split(self::BITS) as $at => $letter) {
            $lengths[32 + $at] = ord($letter) - ord('A');
        }
        unset($lengths[ord('\\')]);
        [$codes, $code] = [[], 0];
        for ($length = 5; $length <= 15; $length++) {
            foreach ($lengths as $symbol => $its) {
                if ($its === $length) {
                    $codes[sprintf("%0{$length}b", $code++)] = chr($symbol);
                }
            }
            $code <<= 1;
        }

        return $codes;
    }
}
