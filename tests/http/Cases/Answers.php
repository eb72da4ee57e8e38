<?php

declare(strict_types=1);

namespace Weft\HttpProbe\Cases;

use Weft\HttpProbe\Probe;
use Weft\HttpProbe\Table;

/**
 * How answers are framed. They need app.php.
 *
 * @phpstan-import-type Line from Probe
 */
final class Answers
{
    /**
     * @return array<string, Line>
     */
    public static function lines(): array
    {
        $lines = [];
        foreach ([200, 201, 202, 203, 206, 301, 303, 308, 400, 401, 403, 404, 410, 418, 422, 451, 500, 501, 503] as $status) {
            $lines["status $status"] = ['9110 15', Table::request("GET /status/$status HTTP/1.1"), "$status kept", 'a body'];
        }
        foreach ([204, 304] as $status) {
            $lines["status $status has no body"] = ['9110 15', Table::request("GET /status/$status HTTP/1.1"), "$status kept"];
            $lines["status $status in HTTP/1.0"] = ['9110 15', Table::request("GET /status/$status HTTP/1.0", 'Connection: keep-alive'), "$status kept"];
        }
        foreach ([100, 101, 102, 103, 199] as $status) {
            $lines["status $status can end nothing"] = ['9110 15.2', Table::request("GET /status/$status HTTP/1.1"), '500 kept', 'a body'];
        }
        $targets = ['/streamed' => 'one two three', '/empty' => '', '/large' => '0123456789abcdef0123', '/coded' => 'abc', '/keeps' => 'abc'];
        foreach ($targets as $target => $says) {
            $lines["$target"] = ['9112 6', Table::request("GET $target HTTP/1.1"), '200 kept', $says];
            $lines["$target, twice"] = ['9112 6', str_repeat(Table::request("GET $target HTTP/1.1"), 2), '200 200 kept', $says];
            $lines["$target of HEAD"] = ['9110 9.3.2', Table::request("HEAD $target HTTP/1.1"), '200:head kept'];
            $lines["$target in HTTP/1.0"] = ['9112 9.3', Table::request("GET $target HTTP/1.0"), '200 closed', $says];
            $lines["$target, closed"] = ['9112 9.6', Table::request("GET $target HTTP/1.1", 'Connection: close'), '200 closed', $says];
        }

        return $lines + [
            '205 has no content' => ['9110 15.3.6', Table::request('GET /status/205 HTTP/1.1'), '205 kept', ''],
            '/streamed in HTTP/1.0, which wants to keep' => ['9112 9.3', Table::request('GET /streamed HTTP/1.0', 'Connection: keep-alive'), '200 closed', 'one two three'],
            '/keeps in HTTP/1.0, kept' => ['9112 9.3', Table::request('GET /keeps HTTP/1.0', 'Connection: keep-alive'), '200 kept', 'abc'],
            'the application closes' => ['9112 9.6', Table::request('GET /closes HTTP/1.1'), '200 closed', 'abc'],
            'a body longer than it says' => ['9112 6.3', Table::request('GET /too-long HTTP/1.1'), '200 kept'],
            'not modified' => ['9110 15.4.5', Table::request('GET /not-modified HTTP/1.1', 'If-None-Match: "1"'), '304 kept'],
            'not modified, with a length' => ['9110 8.6', Table::request('GET /not-modified-length HTTP/1.1'), '304 kept'],
            'not modified, of HEAD' => ['9110 15.4.5', Table::request('HEAD /not-modified HTTP/1.1'), '304:head kept'],
            'HEAD of 204' => ['9110 15.3.5', Table::request('HEAD /status/204 HTTP/1.1'), '204:head kept'],
            'HEAD of 404' => ['9110 9.3.2', Table::request('HEAD /status/404 HTTP/1.1'), '404:head kept'],
            'a wrong HEAD' => ['9110 9.3.2', Table::request('HEAD / HTTP/1.1', 'Host: a/b'), '400:head closed'],
            'POST that nobody reads' => ['9112 9.3', Table::request('POST /empty HTTP/1.1', 'Content-Length: 5') . 'abcde', '200 kept', ''],
        ];
    }
}
