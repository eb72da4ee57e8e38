<?php

declare(strict_types=1);

namespace Weft\HttpProbe\Cases;

use Weft\HttpProbe\Probe;
use Weft\HttpProbe\Table;

/**
 * @phpstan-import-type Line from Probe
 */
final class Hosts
{
    /**
     * @return array<string, Line>
     */
    public static function lines(): array
    {
        $lines = [];
        foreach ([
            'probe', 'PROBE', 'probe:80', 'probe:', 'probe:65535', 'probe.example', 'probe.example.', 'a_b', '127.0.0.1', '127.0.0.1:8080', '1.2.3',
            '[::1]', '[::1]:80', '[2001:db8::1]', '[::ffff:1.2.3.4]', '[v1.fe]', 'xn--bcher-kva.example', '%41', 'a-b', '-', '~a', 'a!$&()*+=b',
        ] as $host) {
            $lines["right: $host"] = ['3986 3.2.2', Table::get("Host: $host"), '200 kept', "GET / $host 0"];
        }
        foreach ([
            'a b', 'a,b', 'a/b', 'http://a', 'a@b', 'a?b', 'a#b', 'a<b', 'a>b', 'a"b', 'a\\b', 'a^b', 'a`b', 'a{b', 'a|b', 'a}b', '[::1', '::1]',
            '::1', '[::1]a', '[::g]', '[]', '[:', '[v1]', 'a:b', 'a:-1', 'a:+1', 'a:80:80', 'a:65536', 'a:99999999999', ':80', ':', '%', '%4', '%zz',
            'a%', "a\tb", "a\x0bb", "a\x7fb", "a\xffb", "a\0b", 'a;b', "a'b",
        ] as $host) {
            $lines['wrong: ' . addcslashes($host, "\0..\37\177..\377")] = ['9112 3.2', Table::get("Host: $host"), '400 closed'];
        }

        return $lines + [
            'none' => ['9112 3.2', "GET / HTTP/1.1\r\n\r\n", '400 closed'],
            'none, other headers' => ['9112 3.2', "GET / HTTP/1.1\r\nX: y\r\nHostX: probe\r\n\r\n", '400 closed'],
            'none in 1.0' => ['9112 3.2', "GET /a HTTP/1.0\r\n\r\n", '200 closed', 'GET /a'],
            'empty' => ['9112 3.2', Table::get('Host:'), '200 kept'],
            'empty with blanks' => ['9112 3.2', Table::get("Host: \t "), '200 kept'],
            'two that are equal' => ['9112 3.2', Table::get('Host: probe', 'Host: probe'), '400 closed'],
            'two that differ' => ['9112 3.2', Table::get('Host: probe', 'Host: other'), '400 closed'],
            'two, the second in capitals' => ['9112 3.2', Table::get('Host: probe', 'HOST: other'), '400 closed'],
            'two, one empty' => ['9112 3.2', Table::get('Host:', 'Host: probe'), '400 closed'],
            'two in 1.0' => ['9112 3.2', Table::request('GET / HTTP/1.0', 'Host: probe', 'Host: probe'), '400 closed'],
            'wrong in 1.0' => ['9112 3.2', Table::request('GET / HTTP/1.0', 'Host: a/b'), '400 closed'],
            'the name in capitals' => ['9110 5.1', Table::get('HOST: probe'), '200 kept', 'GET / probe 0'],
            'behind others' => ['9112 3.2', Table::get('X: y', 'Host: probe'), '200 kept', 'GET / probe 0'],
            'no blank before it' => ['9112 5.1', Table::get('Host:probe'), '200 kept', 'GET / probe 0'],
            'tabs around it' => ['9112 5.1', Table::get("Host:\tprobe\t"), '200 kept', 'GET / probe 0'],
            'blanks around it' => ['9112 5.1', Table::get('Host:   probe   '), '200 kept', 'GET / probe 0'],
            'a blank before the colon' => ['9112 5.1', Table::get('Host : probe'), '400 closed'],
            'folded' => ['9112 5.2', Table::get("Host: probe\r\n other"), '400 closed'],
        ];
    }
}
