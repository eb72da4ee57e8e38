<?php

declare(strict_types=1);

namespace Weft\HttpProbe\Cases;

use Weft\HttpProbe\Probe;
use Weft\HttpProbe\Table;

/**
 * @phpstan-import-type Line from Probe
 */
final class Headers
{
    /**
     * @return array<string, Line>
     */
    public static function lines(): array
    {
        return self::names() + self::values() + self::folded() + self::many();
    }

    /**
     * @return array<string, Line>
     */
    private static function names(): array
    {
        $lines = [];
        foreach (str_split("!#$%&'*+-.^_`|~09Az") as $char) {
            $lines["in a name: $char"] = ['9110 5.1', Table::get("X{$char}Y: z"), '200 kept', 'GET / probe 0'];
        }
        foreach (str_split('"(),/;<=>?@[\]{} ' . "\0\x01\x08\t\x0b\x0c\x1b\x7f\x80\xff") as $char) {
            $lines['in a name: ' . Table::byte(ord($char))] = ['9110 5.1', Table::get("X{$char}Y: z"), '400 closed'];
        }
        foreach ([
            'X : y' => 'a space before the colon', "X\t: y" => 'a tab before the colon', 'X' => 'no colon', ': y' => 'no name',
            ' : y' => 'a space instead of a name', 'X y' => 'a space instead of the colon', "X\x0b: y" => 'a vertical tab before the colon',
            'X=y' => 'an equals sign instead of the colon', "\0: y" => 'NUL instead of a name',
        ] as $header => $name) {
            $lines[$name] = ['9112 5.1', Table::get($header), '400 closed'];
        }

        return $lines + ['a name of one character' => ['9110 5.1', Table::get('X: y'), '200 kept', 'GET / probe 0']];
    }

    /**
     * @return array<string, Line>
     */
    private static function values(): array
    {
        $lines = [];
        foreach ([...range(0, 8), 11, 12, ...range(14, 31), 127] as $byte) {
            $lines['in a value: ' . Table::byte($byte)] = ['9110 5.5', Table::get('X: a' . chr($byte) . 'b'), '400 closed'];
        }
        foreach ([0x80, 0xa0, 0xc3, 0xff] as $byte) {
            $lines['in a value: ' . Table::byte($byte)] = ['9110 5.5', Table::get('X: a' . chr($byte) . 'b'), '200 kept', 'GET / probe 0'];
        }
        foreach ([
            'X-Probe: a' => 'a.', 'X-Probe:a' => 'a.', "X-Probe:\ta" => 'a.', 'X-Probe: a ' => 'a.', "X-Probe: a\t" => 'a.',
            "X-Probe: \t a \t " => 'a.', "X-Probe: a\tb" => "a\tb.", 'X-Probe: a  b' => 'a  b.', 'X-Probe:' => '.', 'X-Probe: ' => '.',
            "X-Probe:\t" => '.', 'X-Probe: :' => ':.', 'X-Probe: a:b' => 'a:b.', 'X-Probe: "a, b"' => '"a, b".', 'X-PROBE: a' => 'a.',
            'x-probe: a' => 'a.', 'X-Probe: a,' => 'a,.',
        ] as $header => $value) {
            $lines['value ' . addcslashes($header, "\t")] = ['9112 5.1', Table::request('GET /header HTTP/1.1', $header), '200 kept', $value];
        }

        return $lines;
    }

    /**
     * @return array<string, Line>
     */
    private static function folded(): array
    {
        $lines = [];
        foreach ([
            "X: y\r\n z" => 'by a space', "X: y\r\n\tz" => 'by a tab', "X: y\r\n  \t z" => 'by several blanks', "X:\r\n z" => 'with nothing before',
            "X: y\r\n " => 'with nothing behind', "X: y\r\n\t" => 'with nothing but a tab', "X: y\r\n z\r\n w" => 'twice',
            "X: y\r\n Z: w" => 'before what looks like another', "X: y\r\n \r\nZ: w" => 'in an empty line',
        ] as $header => $name) {
            $lines["folded $name"] = ['9112 5.2', Table::get($header), '400 closed'];
        }

        return $lines + [
            'a space before the first' => ['9112 2.2', "GET / HTTP/1.1\r\n X: y\r\nHost: probe\r\n\r\n", '400 closed'],
            'a tab before the first' => ['9112 2.2', "GET / HTTP/1.1\r\n\tHost: probe\r\n\r\n", '400 closed'],
            'a space in the empty line' => ['9112 2.2', "GET / HTTP/1.1\r\nHost: probe\r\n \r\n\r\n", '400 closed'],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function many(): array
    {
        $many = static fn (int $count): array => array_map(static fn (int $i): string => "X-$i: y", range(1, $count));

        return [
            'a hundred' => ['6585 5', Table::get(...$many(98)), '200 kept', 'GET / probe 0'],
            'a thousand' => ['6585 5', Table::get(...$many(1000)), '431|400 closed'],
            'of 16 KB' => ['6585 5', Table::get('X: ' . str_repeat('y', 16000)), '200 kept', 'GET / probe 0'],
            'of 100 KB' => ['6585 5', Table::get('X: ' . str_repeat('y', 100000)), '431|400 closed'],
            'of 100 KB, without an end' => ['6585 5', "GET / HTTP/1.1\r\nHost: probe\r\nX: " . str_repeat('y', 100000), '431|400 closed'],
            'of 100 KB, in lines' => ['6585 5', Table::get(...array_fill(0, 50, 'X: ' . str_repeat('y', 2000))), '431|400 closed'],
            'a name of 4 KB' => ['6585 5', Table::get(str_repeat('X', 4000) . ': y'), '200 kept', 'GET / probe 0'],
            'two of a name' => ['9110 5.3', Table::request('GET /header HTTP/1.1', 'X-Probe: a', 'X-Probe: b'), '200 kept'],
            'two cookies' => ['6265 5.4', Table::get('Cookie: a=b', 'Cookie: c=d'), '200 kept', 'GET / probe 0'],
            'an unknown one' => ['9110 5.1', Table::get('X-Nobody-Knows: y'), '200 kept', 'GET / probe 0'],
            'Proxy' => ['3875 4.1.18', Table::request('GET /headers HTTP/1.1', 'Proxy: evil'), '200 kept', 'HTTP_HOST '],
            'in single bytes' => ['9112 5', str_split(Table::request('GET /header HTTP/1.1', "X-Probe: a\tb \t")), '200 kept', "a\tb."],
        ];
    }
}
