<?php

declare(strict_types=1);

namespace Weft\HttpProbe\Cases;

use Weft\HttpProbe\Probe;
use Weft\HttpProbe\Table;

/**
 * @phpstan-import-type Line from Probe
 */
final class Expectations
{
    /**
     * @return array<string, Line>
     */
    public static function lines(): array
    {
        $head = Table::post('', 'Content-Length: 3', 'Expect: 100-continue');
        $chunked = Table::chunked('', 'Expect: 100-continue');
        $lines = [];
        foreach (['nothing', '100-continues', '100', '200-ok', '100-continue, x', '100-continue;a=b', '"100-continue"', 'x=y'] as $expectation) {
            $lines["unknown: $expectation"] = ['9110 10.1.1', Table::post('abc', 'Content-Length: 3', "Expect: $expectation"), '417|200 closed'];
        }

        return $lines + [
            'the body waits' => ['9110 10.1.1', [$head, 1, 'abc', 1], '100 200 kept', 'POST / probe 3 abc'],
            'in capitals' => ['9110 10.1.1', [str_replace('100-continue', '100-CONTINUE', $head), 1, 'abc', 1], '100 200 kept', 'POST / probe 3 abc'],
            'a tab behind it' => ['9110 5.5', [str_replace('100-continue', "100-continue\t", $head), 1, 'abc', 1], '100 200 kept', 'POST / probe 3 abc'],
            'the body waits, in chunks' => ['9110 10.1.1', [$chunked, 1, "3\r\nabc\r\n0\r\n\r\n", 1], '100 200 kept', 'POST / probe 3 abc'],
            'the body waits, and comes in bytes' => ['9110 10.1.1', [$head, 1, 'a', 'b', 'c', 1], '100 200 kept', 'POST / probe 3 abc'],
            'of PUT' => ['9110 10.1.1', [str_replace('POST', 'PUT', $head), 1, 'abc', 1], '100 200 kept', 'PUT / probe 3 abc'],
            'the body is there' => ['9110 10.1.1', "{$head}abc", '200 kept', 'POST / probe 3 abc'],
            'the body is there, in chunks' => ['9110 10.1.1', "{$chunked}3\r\nabc\r\n0\r\n\r\n", '200 kept', 'POST / probe 3 abc'],
            'there is no body' => ['9110 10.1.1', Table::get('Expect: 100-continue'), '200 kept', 'GET / probe 0'],
            'the body is empty' => ['9110 10.1.1', Table::post('', 'Content-Length: 0', 'Expect: 100-continue'), '200 kept', 'POST / probe 0'],
            'in HTTP/1.0' => ['9110 10.1.1', Table::request('POST / HTTP/1.0', 'Content-Length: 3', 'Expect: 100-continue') . 'abc', '200 closed', 'POST / probe 3 abc'],
            'too much is expected' => ['9110 10.1.1', Table::request('POST / HTTP/1.1', 'Content-Length: 99999999999', 'Expect: 100-continue'), '413 closed'],
            'and a wrong length' => ['9112 6.3', Table::request('POST / HTTP/1.1', 'Content-Length: x', 'Expect: 100-continue'), '400 closed'],
            'and both framings' => ['9112 6.1', Table::request('POST / HTTP/1.1', 'Content-Length: 3', 'Transfer-Encoding: chunked', 'Expect: 100-continue'), '400 closed'],
            'and another one after it' => ['9110 10.1.1', [$head, 1, 'abc', 1, $head, 1, 'abc', 1], '100 200 100 200 kept', 'POST / probe 3 abc'],
        ];
    }
}
