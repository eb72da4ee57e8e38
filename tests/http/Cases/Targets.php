<?php

declare(strict_types=1);

namespace Weft\HttpProbe\Cases;

use Weft\HttpProbe\Probe;
use Weft\HttpProbe\Table;

/**
 * @phpstan-import-type Line from Probe
 */
final class Targets
{
    /**
     * @return array<string, Line>
     */
    public static function lines(): array
    {
        return self::characters() + self::originForms() + self::absoluteForms() + self::otherForms();
    }

    /**
     * What a path may consist of is in RFC 3986, 3.3. What else can be seen some servers take, some refuse.
     *
     * @return array<string, Line>
     */
    private static function characters(): array
    {
        $lines = [];
        foreach (str_split("-._~!$&'()*+,;=:@/") as $char) {
            $lines["in the path: $char"] = ['3986 3.3', Table::request("GET /a{$char}b HTTP/1.1"), '200 kept', "GET /a{$char}b probe 0"];
            $lines["in the query: $char"] = ['3986 3.4', Table::request("GET /a?b{$char}c HTTP/1.1"), '200 kept', "GET /a?b{$char}c probe 0"];
        }
        foreach ([0, 1, 8, 9, 11, 12, 14, 27, 31, 127] as $byte) {
            $lines['in the path: ' . Table::byte($byte)] = ['9112 3.2', Table::request('GET /a' . chr($byte) . 'b HTTP/1.1'), '400 closed'];
        }
        foreach ([0x80, 0xa0, 0xc3, 0xff] as $byte) {
            $lines['in the path: ' . Table::byte($byte)] = ['9112 3.2', Table::request('GET /a' . chr($byte) . 'b HTTP/1.1'), '400 closed'];
        }

        return $lines;
    }

    /**
     * @return array<string, Line>
     */
    private static function originForms(): array
    {
        $lines = [];
        foreach ([
            '/', '/a/b/c', '//a', '/a//b', '/.', '/..', '/../../etc/passwd', '/a?', '/?', '/?a=b&c=d', '/a??b', '/a?b?c', '/%41', '/%2e%2e/', '/%00',
            '/%0d%0aX:%20y', '/a;b=c', '/a:80', '/*', '/http://probe/', '/a?b=/../', '/+', '/a&b', '/index.php/x',
        ] as $target) {
            $lines["origin $target"] = ['9112 3.2.1', Table::request("GET $target HTTP/1.1"), '200 kept', "GET $target probe 0"];
        }

        return $lines + [
            'origin with a fragment' => ['9112 3.2.1', Table::request('GET /a#b HTTP/1.1'), '400 closed'],
            'origin with a fragment in the query' => ['9112 3.2.1', Table::request('GET /a?b#c HTTP/1.1'), '400 closed'],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function absoluteForms(): array
    {
        $right = [
            'absolute' => ['http://probe/a', 'GET /a probe 0'],
            'absolute in capitals' => ['HTTP://probe/a', 'GET /a probe 0'],
            'absolute with https' => ['https://probe/a', 'GET /a probe 0'],
            'absolute with a query' => ['http://probe/a?b=c', 'GET /a?b=c probe 0'],
            'absolute without a path' => ['http://probe', 'GET / probe 0'],
            'absolute with a query and no path' => ['http://probe?b', 'GET /?b probe 0'],
            'absolute with two slashes' => ['http://probe//a', 'GET //a probe 0'],
        ];
        $lines = [];
        foreach ($right as $name => [$target, $says]) {
            $lines[$name] = ['9112 3.2.2', Table::request("GET $target HTTP/1.1"), '200 kept', $says];
        }
        foreach (['other:8080', 'other:', '127.0.0.1', '[::1]:81', 'xn--a.example'] as $host) {
            $lines["absolute, host $host is not that of Host"] = ['9112 3.2.2', Table::request("GET http://$host/a HTTP/1.1"), '200 kept', "GET /a $host 0"];
        }
        foreach ([
            'http:///a', 'http:/a', 'http://', 'http://user@probe/', 'http://user:secret@probe/', 'http://probe:x/', 'http://probe:99999/',
            'http://[::1/', 'http://pro<be/', 'http://probe/a#b', 'http:probe', '://probe/', 'ftp://probe/', 'javascript:alert(1)',
            'file:///etc/passwd', 'http://@/',
        ] as $target) {
            $lines["absolute $target"] = ['9110 4.2', Table::request("GET $target HTTP/1.1"), '400 closed'];
        }

        return $lines + [
            'absolute without Host' => ['9112 3.2', "GET http://probe/ HTTP/1.1\r\n\r\n", '400 closed'],
            'absolute with an empty Host' => ['9112 3.2.2', Table::request('GET http://probe/a HTTP/1.1', 'Host:'), '200 kept', 'GET /a probe 0'],
            'absolute with two Hosts' => ['9112 3.2', Table::request('GET http://probe/ HTTP/1.1', 'Host: probe', 'Host: probe'), '400 closed'],
            'absolute in 1.0 without Host' => ['9112 3.2.2', "GET http://probe/a HTTP/1.0\r\n\r\n", '200 closed', 'GET /a probe 0'],
        ];
    }

    /**
     * @return array<string, Line>
     */
    private static function otherForms(): array
    {
        $lines = [];
        foreach (['index.php', '?a=b', 'probe', 'probe:80', ':80', '.', '..', '\\a', '%2f', 'a/b', '-'] as $target) {
            $lines["neither form: $target"] = ['9112 3.2', Table::request("GET $target HTTP/1.1"), '400 closed'];
        }

        return $lines + [
            'asterisk' => ['9112 3.2.4', Table::request('OPTIONS * HTTP/1.1'), '200|204 kept'],
            'asterisk with a body' => ['9110 9.3.7', Table::request('OPTIONS * HTTP/1.1', 'Content-Length: 3') . 'abc', '200|204 kept'],
            'asterisk for GET' => ['9112 3.2.4', Table::request('GET * HTTP/1.1'), '400 closed'],
            'asterisk for POST' => ['9112 3.2.4', Table::request('POST * HTTP/1.1', 'Content-Length: 0'), '400 closed'],
            'asterisk for HEAD' => ['9112 3.2.4', Table::request('HEAD * HTTP/1.1'), '400:head closed'],
            'two asterisks' => ['9112 3.2.4', Table::request('OPTIONS ** HTTP/1.1'), '400 closed'],
            'absolute for OPTIONS without a path' => ['9112 3.2.4', Table::request('OPTIONS http://probe HTTP/1.1'), '200|204 kept'],
        ];
    }
}
