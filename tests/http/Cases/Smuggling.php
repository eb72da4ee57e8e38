<?php

declare(strict_types=1);

namespace Weft\HttpProbe\Cases;

use Weft\HttpProbe\Probe;
use Weft\HttpProbe\Table;

/**
 * What two servers in a row may read in two ways: who is behind must refuse it, and read nothing more.
 *
 * @phpstan-import-type Line from Probe
 */
final class Smuggling
{
    /** A body that is one thing in chunks, and another by its length. */
    private const BODY = "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

    /**
     * @return array<string, Line>
     */
    public static function lines(): array
    {
        $lines = [];
        $length = 'Content-Length: ' . strlen(self::BODY);
        $chunked = 'Transfer-Encoding: chunked';
        $smuggle = static fn (string ...$headers): string => Table::post(self::BODY, ...$headers);
        foreach ([
            'length, then chunks' => [$length, $chunked],
            'chunks, then length' => [$chunked, $length],
            'chunks and a length of zero' => [$chunked, 'Content-Length: 0'],
            'chunks between two lengths' => [$length, $chunked, $length],
            'length and chunks in capitals' => [$length, 'TRANSFER-ENCODING: CHUNKED'],
            'length, and chunks with a tab behind' => [$length, "Transfer-Encoding: chunked\t"],
            'chunks, and a length with a tab behind' => [$chunked, "Content-Length: 5\t"],
            'chunks and a length that is none' => [$chunked, 'Content-Length: x'],
            'chunks and a length behind a blank' => [$chunked, 'Content-Length : 5'],
        ] as $name => $headers) {
            $lines[$name] = ['9112 6.1', $smuggle(...$headers), '400 closed'];
        }
        foreach ([
            'Transfer-Encoding : chunked', "Transfer-Encoding\t: chunked", ' Transfer-Encoding: chunked', "Transfer-Encoding:\r\n chunked",
            "Transfer-Encoding\x0b: chunked", "Transfer-Encoding\0: chunked", "Transfer-Encoding: chunked\r", "X: y\rTransfer-Encoding: chunked",
            "X: y\nTransfer-Encoding: chunked", "X: y\r\n\tTransfer-Encoding: chunked", "\x00Transfer-Encoding: chunked",
            'Transfer Encoding: chunked', "Transfer-Encoding: \x0bchunked", "Transfer-Encoding: chunked\0", "Transfer-Encoding: chu\0nked",
        ] as $coding) {
            $lines['hidden: ' . addcslashes($coding, "\0..\37\177..\377")] = ['9112 5.1', $smuggle($coding), '400 closed'];
            $lines['hidden, with a length: ' . addcslashes($coding, "\0..\37\177..\377")] = ['9112 5.1', $smuggle($coding, $length), '400 closed'];
        }
        foreach ([
            'identity', 'gzip', 'xchunked', 'chunkedx', 'chunk', 'chunked, gzip', 'chunked, identity', 'chunked;q=1', '"chunked"', "'chunked'",
            'chunked chunked', 'chunked, chunked', 'identity, chunked', 'gzip, chunked', 'chunked,', ',chunked', '', ',', 'nonsense', "chunked\xa0",
            "\xc2\xa0chunked", 'cow, chunked', 'none',
        ] as $coding) {
            $lines["coding $coding"] = ['9112 6.1', $smuggle("Transfer-Encoding: $coding"), '400|501 closed'];
        }
        foreach ([
            ['chunked', 'chunked'], ['chunked', 'identity'], ['identity', 'chunked'], ['gzip', 'chunked'], ['chunked', ''], ['', 'chunked'],
            ['chunked', 'x'],
        ] as [$first, $second]) {
            $lines["codings $first and $second"] = ['9112 6.1', $smuggle("Transfer-Encoding: $first", "Transfer-Encoding: $second"), '400|501 closed'];
        }

        return $lines + self::others($chunked, $length);
    }

    /**
     * @return array<string, Line>
     */
    private static function others(string $chunked, string $length): array
    {
        return [
            'chunks in HTTP/1.0' => ['9112 6.1', Table::request('POST / HTTP/1.0', $chunked) . self::BODY, '400 closed'],
            'chunks in HTTP/1.0, with a length' => ['9112 6.1', Table::request('POST / HTTP/1.0', $chunked, $length) . self::BODY, '400 closed'],
            'chunks in HTTP/1.0, kept' => ['9112 6.1', Table::request('POST / HTTP/1.0', $chunked, 'Connection: keep-alive') . self::BODY, '400 closed'],
            'right: in capitals' => ['9112 7', Table::post("3\r\nabc\r\n0\r\n\r\n", 'Transfer-Encoding: CHUNKED'), '200 kept', 'POST / probe 3 abc'],
            'right: blanks around' => ['9112 5.1', Table::post("3\r\nabc\r\n0\r\n\r\n", 'Transfer-Encoding:  chunked '), '200 kept', 'POST / probe 3 abc'],
            'right: tabs around' => ['9112 5.1', Table::post("3\r\nabc\r\n0\r\n\r\n", "Transfer-Encoding:\tchunked\t"), '200 kept', 'POST / probe 3 abc'],
            'right: TE is something else' => ['9110 10.1.4', Table::get('TE: chunked', 'Connection: TE'), '200 kept', 'GET / probe 0'],
            'another name: Transfer_Encoding' => ['9110 5.1', Table::post('', 'Transfer_Encoding: chunked'), '200 kept', 'POST / probe 0'],
            'another name: Content_Length' => ['9110 5.1', Table::post('', 'Content_Length: 30'), '200 kept', 'POST / probe 0'],
            'another name: Transfer-Encoding-X' => ['9110 5.1', Table::post('', 'Transfer-Encoding-X: chunked'), '200 kept', 'POST / probe 0'],
            'Connection names Content-Length' => ['9110 7.6.1', Table::post('abc', 'Content-Length: 3', 'Connection: Content-Length'), '200 kept', 'POST / probe 3 abc'],
            'Connection names Transfer-Encoding' => [
                '9110 7.6.1', Table::post("3\r\nabc\r\n0\r\n\r\n", 'Transfer-Encoding: chunked', 'Connection: Transfer-Encoding'), '200 kept',
                'POST / probe 3 abc',
            ],
            'Connection names Host' => ['9110 7.6.1', Table::get('Connection: Host'), '200 kept', 'GET / probe 0'],
            'a method override' => ['9110 9.1', Table::get('X-HTTP-Method-Override: POST'), '200 kept', 'GET / probe 0'],
        ];
    }
}
