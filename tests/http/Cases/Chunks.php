<?php

declare(strict_types=1);

namespace Weft\HttpProbe\Cases;

use Weft\HttpProbe\Probe;
use Weft\HttpProbe\Table;

/**
 * Bodies in chunks.
 *
 * @phpstan-import-type Line from Probe
 */
final class Chunks
{
    private const SAYS = 'POST / probe 3 abc';

    /** What makes sense only in a head (RFC 9110, 6.5.1), and what an application believes. */
    private const FORBIDDEN = [
        'Content-Length: 5', 'Transfer-Encoding: chunked', 'Transfer-Encoding: gzip', 'Host: other', 'Connection: close', 'Connection: upgrade',
        'Expect: 100-continue', 'Expect: nothing', 'Content-Type: text/html', 'Content-Encoding: gzip', 'Content-Range: bytes 0-1/2', 'Trailer: x',
        'Authorization: Basic YTpi', 'Cookie: a=b', 'Cache-Control: no-cache', 'TE: gzip', 'Max-Forwards: 0', 'Upgrade: websocket',
        'X-Forwarded-For: 1.2.3.4',
    ];

    /**
     * @return array<string, Line>
     */
    public static function lines(): array
    {
        return self::sizes() + self::extensions() + self::ends() + self::trailers() + self::splits() + self::methods();
    }

    /**
     * @return array<string, Line>
     */
    private static function sizes(): array
    {
        $lines = [];
        foreach (['3', '03', '0003', str_repeat('0', 30) . '3'] as $size) {
            $lines["size $size"] = ['9112 7.1', Table::chunked("$size\r\nabc\r\n0\r\n\r\n"), '200 kept', self::SAYS];
        }
        foreach ([
            '', ' ', ' 3', "\t3", '3 ', "3\t", '+3', '-3', '0x3', '3h', 'x', 'g', '3g', '3.0', '3,', '3_0', '"3"', "3\x0b", "3\0", "\x0b3",
            "\xef\xbc\x93", '3 3', '3:', ';a',
        ] as $size) {
            $lines['wrong size ' . addcslashes(substr($size, 0, 20), "\0..\37\177..\377") . '.'] = ['9112 7.1', Table::chunked("$size\r\nabc\r\n0\r\n\r\n"), '400|413 closed'];
        }

        // of no size that there is: malformed, not too large
        foreach (['FFFFFFFFFFFFFFFFF', '10000000000000003', str_repeat('F', 100)] as $size) {
            $lines['wrong size ' . substr($size, 0, 20) . '.'] = ['9112 7.1', Table::chunked("$size\r\nabc\r\n0\r\n\r\n"), '400 closed'];
        }

        return $lines + [
            'none but the last' => ['9112 7.1', Table::chunked("0\r\n\r\n"), '200 kept', 'POST / probe 0'],
            'the last of many zeros' => ['9112 7.1', Table::chunked("3\r\nabc\r\n00000\r\n\r\n"), '200 kept', self::SAYS],
            'size in capitals' => ['9112 7.1', Table::chunked("A\r\n0123456789\r\n0\r\n\r\n"), '200 kept', 'POST / probe 10 0123456789'],
            'size in small letters' => ['9112 7.1', Table::chunked("a\r\n0123456789\r\n0\r\n\r\n"), '200 kept', 'POST / probe 10 0123456789'],
            'three' => ['9112 7.1', Table::chunked("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n"), '200 kept', self::SAYS],
            'five thousand of one byte' => ['9112 7.1', Table::chunked(str_repeat("1\r\nx\r\n", 5000) . "0\r\n\r\n"), '200 kept', 'POST / probe 5000'],
            'one of 1 MB' => ['9112 7.1', Table::chunked("100000\r\n" . str_repeat('x', 1 << 20) . "\r\n0\r\n\r\n"), '200 kept', 'POST / probe 1048576'],
            'of all bytes' => ['9112 7.1', Table::chunked("100\r\n" . implode('', array_map(chr(...), range(0, 255))) . "\r\n0\r\n\r\n"), '200 kept', 'POST / probe 256'],
            'data that looks like the end' => ['9112 7.1', Table::chunked("5\r\n0\r\n\r\n\r\n0\r\n\r\n"), '200 kept', "POST / probe 5 0\r\n\r\n"],
            'more than is taken' => ['9110 15.5.14', Table::chunked("fffffffffff\r\nabc"), '413 closed'],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function extensions(): array
    {
        $lines = [];
        foreach ([';a', ';a=b', ';a=b;c=d', ';a="b c"', ';a="b;c"', ' ;a', "\t;a", ' ; a = b', ";\ta", ';a="\\""', ';a=b ', ";a=\xe9"] as $extension) {
            $lines['extension ' . addcslashes($extension, "\t\200..\377")] = ['9112 7.1.1', Table::chunked("3$extension\r\nabc\r\n0$extension\r\n\r\n"), '200 kept', self::SAYS];
        }
        foreach ([0, 1, 8, 10, 11, 12, 13, 27, 127] as $byte) {
            $lines['in an extension: ' . Table::byte($byte)] = ['9112 7.1.1', Table::chunked('3;a=' . chr($byte) . "b\r\nabc\r\n0\r\n\r\n"), '400 closed'];
        }

        return $lines + [
            'extension of 1 KB' => ['9112 7.1.1', Table::chunked('3;' . str_repeat('a', 1024) . "\r\nabc\r\n0\r\n\r\n"), '200 kept', self::SAYS],
            'extension of 16 KB' => ['9112 7.1.1', Table::chunked('3;' . str_repeat('a', 16384) . "\r\nabc\r\n0\r\n\r\n"), '200 kept', self::SAYS],
            'extension of almost 64 KB' => ['9112 7.1.1', Table::chunked('3;' . str_repeat('a', 65535) . "\r\nabc\r\n0\r\n\r\n"), '200 kept', self::SAYS],
            'extension of 1 MB' => ['9112 7.1.1', Table::chunked('3;' . str_repeat('a', 1 << 20) . "\r\nabc\r\n0\r\n\r\n"), '400|413|431 closed'],
            'extension without an end' => ['9112 7.1.1', Table::chunked('3;' . str_repeat('a', 1 << 20)), '400|413|431 closed'],
            'extensions of 1 MB together' => ['9112 7.1.1', Table::chunked(str_repeat('1;' . str_repeat('a', 1000) . "\r\nx\r\n", 1000) . "0\r\n\r\n"), '400|413|431 closed'],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function ends(): array
    {
        $lines = [];
        foreach ([
            'LF behind the size' => "3\nabc\r\n0\r\n\r\n",
            'CR behind the size' => "3\rabc\r\n0\r\n\r\n",
            'CR CR LF behind the size' => "3\r\r\nabc\r\n0\r\n\r\n",
            'LF behind the data' => "3\r\nabc\n0\r\n\r\n",
            'CR behind the data' => "3\r\nabc\r0\r\n\r\n",
            'nothing behind the data' => "3\r\nabc0\r\n\r\n",
            'a space behind the data' => "3\r\nabc \r\n0\r\n\r\n",
            'LF CR behind the data' => "3\r\nabc\n\r0\r\n\r\n",
            'LF behind the last size' => "3\r\nabc\r\n0\n\r\n",
            'LF at the end' => "3\r\nabc\r\n0\r\n\n",
            'CR at the end' => "3\r\nabc\r\n0\r\n\rX",
            'more data than the size' => "3\r\nabcd\r\n0\r\n\r\n",
            'less data than the size' => "6\r\nabc\r\n0\r\n\r\n",
            'an empty line between chunks' => "1\r\na\r\n\r\n2\r\nbc\r\n0\r\n\r\n",
            'LF in an extension' => "3;a\nabc\r\n0\r\n\r\n",
            'no size' => "zabc\r\n0\r\n\r\n",
            'a request instead' => "GET / HTTP/1.1\r\nHost: probe\r\n\r\n",
        ] as $name => $chunks) {
            $lines[$name] = ['9112 7.1', Table::chunked($chunks), '400 closed'];
        }

        return $lines;
    }

    /**
     * @return array<string, Line>
     */
    private static function trailers(): array
    {
        $lines = [];
        $with = static fn (string $trailers): string => Table::chunked("3\r\nabc\r\n0\r\n$trailers\r\n");
        foreach ([
            'X: y' => 'one', 'X:y' => 'no blank', 'X:' => 'empty', "X: \t" => 'blanks', "X: a\tb\t" => 'tabs', "X: \xe9" => 'a letter beyond ASCII',
            "X: y\r\nZ: w" => 'two', 'X: ' . str_repeat('y', 8000) => '8 KB',
        ] as $trailer => $name) {
            $lines["trailer: $name"] = ['9112 7.1.2', $with("$trailer\r\n"), '200 kept', self::SAYS];
        }
        foreach (self::FORBIDDEN as $trailer) {
            $lines["trailer dropped: $trailer"] = ['9110 6.5.1', $with("$trailer\r\n"), '200 kept', self::SAYS];
        }
        foreach ([
            'X' => 'no colon', 'X : y' => 'a space before the colon', ': y' => 'no name', ' X: y' => 'a space first', "X: y\r\n z" => 'folded',
            "X: \0" => 'NUL', "X: \x0b" => 'a vertical tab', "X: \x7f" => 'DEL', "X: y\rZ: w" => 'CR', "X: y\nZ: w" => 'LF',
            'X(: y' => 'a delimiter in the name', "\xe9: y" => 'a letter beyond ASCII in the name', "X\0: y" => 'NUL in the name',
            'GET / HTTP/1.1' => 'a request line',
        ] as $trailer => $name) {
            $lines["wrong trailer: $name"] = ['9112 7.1.2', $with("$trailer\r\n"), '400 closed'];
        }

        return $lines + [
            'trailer is no header' => ['9110 6.5.1', Table::request('POST /header HTTP/1.1', 'Transfer-Encoding: chunked') . "0\r\nX-Probe: a\r\n\r\n", '200 kept', 'none.'],
            'trailer changes no header' => [
                '9110 6.5.1', Table::request('POST /header HTTP/1.1', 'Transfer-Encoding: chunked', 'X-Probe: a') . "0\r\nX-Probe: b\r\n\r\n",
                '200 kept', 'a.',
            ],
            'a thousand trailers' => ['6585 5', $with(str_repeat("X: y\r\n", 1000)), '431|400 closed'],
            'trailers of 100 KB' => ['6585 5', $with('X: ' . str_repeat('y', 100000) . "\r\n"), '431|400 closed'],
            'a trailer without an end' => ['6585 5', Table::chunked("0\r\nX: " . str_repeat('y', 100000)), '431|400 closed'],
            'announced and missing' => ['9110 6.6.2', Table::chunked("3\r\nabc\r\n0\r\n\r\n", 'Trailer: X'), '200 kept', self::SAYS],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function splits(): array
    {
        $body = "3;a=b\r\nabc\r\n3 ;c\r\ndef\r\n0;d\r\nX: y\r\n\r\n";
        $message = Table::chunked($body);
        $lines = ['in single bytes' => ['9112 7.1', str_split($message), '200 kept', 'POST / probe 6 abcdef']];
        for ($at = strlen($message) - strlen($body); $at < strlen($message); $at++) {
            $lines["cut at $at"] = ['9112 7.1', Table::cut($message, $at), '200 kept', 'POST / probe 6 abcdef'];
        }

        return $lines + [
            'in pieces of three' => ['9112 7.1', str_split($message, 3), '200 kept', 'POST / probe 6 abcdef'],
            'in pieces of seven' => ['9112 7.1', str_split($message, 7), '200 kept', 'POST / probe 6 abcdef'],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function methods(): array
    {
        $lines = ['body of HEAD' => ['9110 9.3.2', Table::request('HEAD / HTTP/1.1', 'Transfer-Encoding: chunked') . "3\r\nabc\r\n0\r\n\r\n", '200:head kept']];
        foreach (['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as $method) {
            $request = Table::request("$method / HTTP/1.1", 'Transfer-Encoding: chunked') . "3\r\nabc\r\n0\r\n\r\n";
            $lines["body of $method"] = ['9112 6', $request, '200 kept', "$method / probe 3 abc"];
        }

        return $lines;
    }
}
