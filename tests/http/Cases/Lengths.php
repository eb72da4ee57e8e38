<?php

declare(strict_types=1);

namespace Weft\HttpProbe\Cases;

use Weft\HttpProbe\Probe;
use Weft\HttpProbe\Table;

/**
 * Bodies whose length is told.
 *
 * @phpstan-import-type Line from Probe
 */
final class Lengths
{
    /**
     * @return array<string, Line>
     */
    public static function lines(): array
    {
        return self::values() + self::methods() + self::splits() + self::others();
    }

    /**
     * @return array<string, Line>
     */
    private static function values(): array
    {
        $lines = [];
        foreach (['3', '03', '0003', str_repeat('0', 40) . '3', "3\t", "\t3", '3 ', "3 \t ", "\t 3"] as $value) {
            $lines['right: ' . addcslashes($value, "\t") . '.'] = ['9110 8.6', Table::post('abc', "Content-Length:$value"), '200 kept', 'POST / probe 3 abc'];
        }
        foreach ([
            '', ' ', '+3', '-3', '-0', '3.0', '3,', ',3', '3;', '0x3', '3h', 'three', '3 3', "3\t3", '3_0', '1e1', '"3"', "'3'", '3/', '03a',
            "\x0b3", "3\x0b", "3\x0c", "\xc2\xa03", "\xef\xbc\x93", "3\0", '99999999999999999999', '18446744073709551619',
            '340282366920938463463374607431768211459', str_repeat('9', 1000),
        ] as $value) {
            $lines['wrong: ' . addcslashes(substr($value, 0, 40), "\0..\37\177..\377")] = ['9112 6.3', Table::post('abc', "Content-Length: $value"), '400|413 closed'];
        }

        return $lines + [
            'none' => ['9112 6.3', Table::post(''), '200 kept', 'POST / probe 0'],
            'zero' => ['9110 8.6', Table::post('', 'Content-Length: 0'), '200 kept', 'POST / probe 0'],
            'zeros' => ['9110 8.6', Table::post('', 'Content-Length: 000'), '200 kept', 'POST / probe 0'],
            'a list of equal ones' => ['9112 6.3', Table::post('abc', 'Content-Length: 3, 3'), '400 closed'],
            'a list of different ones' => ['9112 6.3', Table::post('abc', 'Content-Length: 3, 4'), '400 closed'],
            'two lines of equal ones' => ['9112 6.3', Table::post('abc', 'Content-Length: 3', 'Content-Length: 3'), '400 closed'],
            'two lines of different ones' => ['9112 6.3', Table::post('abc', 'Content-Length: 3', 'Content-Length: 4'), '400 closed'],
            'two lines, one empty' => ['9112 6.3', Table::post('abc', 'Content-Length: 3', 'Content-Length:'), '400 closed'],
            'two lines, the second with zeros' => ['9112 6.3', Table::post('abc', 'Content-Length: 3', 'Content-Length: 03'), '400 closed'],
            'folded' => ['9112 5.2', Table::post('abc', "Content-Length:\r\n 3"), '400 closed'],
            'the name in small letters' => ['9110 5.1', Table::post('abc', 'content-length: 3'), '200 kept', 'POST / probe 3 abc'],
            'the name in capitals' => ['9110 5.1', Table::post('abc', 'CONTENT-LENGTH: 3'), '200 kept', 'POST / probe 3 abc'],
            'a blank before the colon' => ['9112 5.1', Table::post('abc', 'Content-Length : 3'), '400 closed'],
            'in HTTP/1.0' => ['9112 6.3', Table::request('POST / HTTP/1.0', 'Content-Length: 3') . 'abc', '200 closed', 'POST / probe 3 abc'],
            'in HTTP/1.0, kept' => ['9112 6.3', Table::request('POST / HTTP/1.0', 'Content-Length: 3', 'Connection: keep-alive') . 'abc', '200 kept', 'POST / probe 3 abc'],
            'far more than is taken' => ['9110 15.5.14', Table::request('POST / HTTP/1.1', 'Content-Length: 99999999999'), '413 closed'],
        ];
    }

    /**
     * A method says nothing about whether there is a body.
     *
     * @return array<string, Line>
     */
    private static function methods(): array
    {
        $lines = ['body of HEAD' => ['9110 9.3.2', Table::request('HEAD / HTTP/1.1', 'Content-Length: 3') . 'abc', '200:head kept']];
        foreach (['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'] as $method) {
            $lines["body of $method"] = ['9112 6', Table::request("$method / HTTP/1.1", 'Content-Length: 3') . 'abc', '200 kept', "$method / probe 3 abc"];
        }

        return $lines;
    }

    /**
     * @return array<string, Line>
     */
    private static function splits(): array
    {
        $message = Table::post('abcdef', 'Content-Length: 6');
        $lines = ['in single bytes' => ['9112 6', str_split($message), '200 kept', 'POST / probe 6 abcdef']];
        for ($at = 1; $at < strlen($message); $at += 2) {
            $lines["cut at $at"] = ['9112 6', Table::cut($message, $at), '200 kept', 'POST / probe 6 abcdef'];
        }

        return $lines;
    }

    /**
     * @return array<string, Line>
     */
    private static function others(): array
    {
        $inside = Table::get();

        return [
            'a body that looks like a request' => ['9112 6', Table::post($inside, 'Content-Length: ' . strlen($inside)), '200 kept', 'POST / probe ' . strlen($inside)],
            'a body of all bytes' => ['9112 6', Table::post(implode('', array_map(chr(...), range(0, 255))), 'Content-Length: 256'), '200 kept', 'POST / probe 256'],
            'a body of 1 MB' => ['9112 6', Table::post(str_repeat('x', 1 << 20), 'Content-Length: 1048576'), '200 kept', 'POST / probe 1048576'],
            'a body behind its head' => ['9112 6', [Table::post('', 'Content-Length: 3'), 'abc'], '200 kept', 'POST / probe 3 abc'],
            'CR LF behind a body' => ['9112 2.2', Table::post("abc\r\n", 'Content-Length: 3'), '200 kept', 'POST / probe 3 abc'],
            'a body that no length tells of' => ['9112 6.3', Table::post('abc '), '200 400|501 closed'],
        ];
    }
}
