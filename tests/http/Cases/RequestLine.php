<?php

declare(strict_types=1);

namespace Weft\HttpProbe\Cases;

use Weft\HttpProbe\Probe;
use Weft\HttpProbe\Table;

/**
 * @phpstan-import-type Line from Probe
 */
final class RequestLine
{
    /** Of RFC 9110 and of the registry, which an application may serve. */
    private const METHODS = [
        'GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'ACL', 'BIND', 'CHECKOUT', 'COPY', 'LINK', 'LOCK', 'MERGE', 'MKACTIVITY',
        'MKCALENDAR', 'MKCOL', 'MOVE', 'PROPFIND', 'PROPPATCH', 'REBIND', 'REPORT', 'SEARCH', 'UNBIND', 'UNLINK', 'UNLOCK', 'PURGE',
        'NOTIFY', 'SUBSCRIBE', 'UNSUBSCRIBE', 'M-SEARCH',
    ];

    /**
     * @return array<string, Line>
     */
    public static function lines(): array
    {
        return self::methods() + self::forms() + self::versions() + self::lineEnds();
    }

    /**
     * @return array<string, Line>
     */
    private static function methods(): array
    {
        $lines = [];
        foreach (self::METHODS as $method) {
            $lines["method $method"] = ['9110 9', Table::request("$method /m HTTP/1.1"), '200 kept', "$method /m probe 0"];
        }
        foreach (['BREW', 'get', 'Get', 'GETT', 'GE', 'X-Y', "!#$%&'*+-.^_`|~", str_repeat('A', 200)] as $method) {
            $lines['unknown method ' . substr($method, 0, 20)] = ['9110 9.1', Table::request("$method / HTTP/1.1"), '501|405 closed'];
        }
        foreach (str_split('"(),/:;<=>?@[\]{}' . "\x00\x01\x0b\x1b\x7f\x80\xff") as $char) {
            $lines['in a method: ' . Table::byte(ord($char))] = ['9110 5.6.2', Table::request("GE{$char}T / HTTP/1.1"), '400 closed'];
        }

        return $lines + [
            'method HEAD' => ['9110 9.3.2', Table::request('HEAD /m HTTP/1.1'), '200:head kept'],
            'method CONNECT' => ['9110 9.3.6', Table::request('CONNECT probe:443 HTTP/1.1'), '501|405|400 closed'],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function forms(): array
    {
        $lines = [];
        foreach ([
            'a space first' => ' GET / HTTP/1.1',
            'a tab first' => "\tGET / HTTP/1.1",
            'two spaces before the target' => 'GET  / HTTP/1.1',
            'two spaces behind the target' => 'GET /  HTTP/1.1',
            'a tab before the target' => "GET\t/ HTTP/1.1",
            'a tab behind the target' => "GET /\tHTTP/1.1",
            'a vertical tab behind the target' => "GET /\x0bHTTP/1.1",
            'a form feed before the target' => "GET\x0c/ HTTP/1.1",
            'a space at the end' => 'GET / HTTP/1.1 ',
            'a tab at the end' => "GET / HTTP/1.1\t",
            'a space in the target' => 'GET /a b HTTP/1.1',
            'no target' => 'GET HTTP/1.1',
            'an empty target' => 'GET  HTTP/1.1',
            'no version' => 'GET /',
            'a method only' => 'GET',
            'a word behind the version' => 'GET / HTTP/1.1 x',
            'CR in the middle' => "GET / \rHTTP/1.1",
            'CR before the target' => "GET\r / HTTP/1.1",
            'CR at the end' => "GET / HTTP/1.1\r",
            'NUL in the middle' => "GET / \0HTTP/1.1",
            'a header instead' => 'Host: probe',
            'a status line instead' => 'HTTP/1.1 200 OK',
        ] as $name => $line) {
            $lines[$name] = ['9112 3', Table::request($line), '400 closed'];
        }

        return $lines + [
            'longer than 8 KB' => ['9112 3', Table::request('GET /' . str_repeat('a', 9000) . ' HTTP/1.1'), '414 closed'],
            'of almost 8 KB' => ['9112 3', Table::request('GET /' . str_repeat('a', 8000) . ' HTTP/1.1'), '200 kept', 'GET /aaa'],
            'without an end' => ['9112 3', 'GET /' . str_repeat('a', 20000), '414 closed'],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function versions(): array
    {
        $lines = [];
        for ($minor = 2; $minor <= 9; $minor++) {
            $lines["HTTP/1.$minor"] = ['9110 2.5', Table::request("GET /v HTTP/1.$minor"), '200 kept', 'GET /v probe 0'];
        }
        foreach (['HTTP/2.0', 'HTTP/3.0', 'HTTP/0.9', 'HTTP/9.9', 'HTTP/0.0'] as $version) {
            $lines["$version"] = ['9110 15.6.6', Table::request("GET / $version"), '505|400 closed'];
        }
        foreach ([
            'http/1.1', 'Http/1.1', 'HTTP/1', 'HTTP/1.', 'HTTP/.1', 'HTTP/11', 'HTTP/1.10', 'HTTP/01.1', 'HTTP/1,1', 'HTTP/+1.1', 'HTTP/1.1.1',
            'HTTP1.1', 'HTTPS/1.1', 'HTCPCP/1.0', 'HTTP 1.1', 'HTTP/ 1.1', 'HTTP/1.x', 'HTTP/a.1', '1.1', "HTTP/1\0.1",
        ] as $version) {
            $lines['version ' . addcslashes($version, "\0")] = ['9112 2.3', Table::request("GET / $version"), '400 closed'];
        }

        return $lines + [
            'HTTP/1.0' => ['9112 2.3', Table::request('GET /v HTTP/1.0'), '200 closed', 'GET /v probe 0'],
            'HTTP/0.9' . ' without a version' => ['9112 3', "GET /\r\n", '400 closed'],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function lineEnds(): array
    {
        $get = Table::get();

        return [
            'an empty line first' => ['9112 2.2', "\r\n$get", '200 kept', 'GET / probe 0'],
            'two empty lines first' => ['9112 2.2', "\r\n\r\n$get", '200 kept', 'GET / probe 0'],
            'empty lines without end' => ['9112 2.2', str_repeat("\r\n", 5000) . $get, '400 closed'],
            'LF first' => ['9112 2.2', "\n$get", '400 closed'],
            'CR first' => ['9112 2.2', "\r$get", '400 closed'],
            'CR CR LF first' => ['9112 2.2', "\r\r\n$get", '400 closed'],
            'NUL first' => ['9112 2.2', "\0$get", '400 closed'],
            'LF everywhere' => ['9112 2.2', str_replace("\r\n", "\n", $get), '400 closed'],
            'LF behind the request line' => ['9112 2.2', "GET / HTTP/1.1\nHost: probe\r\n\r\n", '400 closed'],
            'LF behind a header' => ['9112 2.2', "GET / HTTP/1.1\r\nHost: probe\n\r\n", '400 closed'],
            'LF instead of the empty line' => ['9112 2.2', "GET / HTTP/1.1\r\nHost: probe\r\n\n", '400 closed'],
            'CR behind the request line' => ['9112 2.2', "GET / HTTP/1.1\rHost: probe\r\n\r\n", '400 closed'],
            'CR behind a header' => ['9112 2.2', "GET / HTTP/1.1\r\nHost: probe\rX: y\r\n\r\n", '400 closed'],
            'CR CR LF behind the request line' => ['9112 2.2', "GET / HTTP/1.1\r\r\nHost: probe\r\n\r\n", '400 closed'],
            'CR CR LF behind a header' => ['9112 2.2', "GET / HTTP/1.1\r\nHost: probe\r\r\n\r\n", '400 closed'],
            'LF CR behind a header' => ['9112 2.2', "GET / HTTP/1.1\r\nHost: probe\n\r\r\n\r\n", '400 closed'],
            'in single bytes' => ['9112 2.2', str_split($get), '200 kept', 'GET / probe 0'],
            'cut in CR LF' => ['9112 2.2', Table::cut($get, (int) strpos($get, "\n")), '200 kept', 'GET / probe 0'],
            'cut before the last LF' => ['9112 2.2', Table::cut($get, -1), '200 kept', 'GET / probe 0'],
        ];
    }
}
