<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * What a proxy in front says of the client, and what anybody else says.
 */
final class ForwardedTest extends TestCase
{
    private static ?ServerProcess $server = null;

    public static function setUpBeforeClass(): void
    {
        self::$server = ServerProcess::serving(__DIR__ . '/fixtures/client.php', ['--workers=1', '--trusted-proxies=127.0.0.0/8,10.0.0.0/9,2001:db8::/32,192.0.2.7']);
    }

    public static function tearDownAfterClass(): void
    {
        self::$server?->destroy();
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function headers(): iterable
    {
        yield 'none' => ['', '127.0.0.1 http - own'];
        yield 'a client' => ['X-Forwarded-For: 198.51.100.4', '198.51.100.4 http - own'];
        yield 'what a client has made up' => ['X-Forwarded-For: 1.2.3.4, 198.51.100.4', '198.51.100.4 http - own'];
        yield 'two proxies' => ['X-Forwarded-For: 1.2.3.4, 198.51.100.4 ,10.127.255.255,192.0.2.7', '198.51.100.4 http - own'];
        yield 'the next network is not theirs' => ['X-Forwarded-For: 198.51.100.4, 10.128.0.0', '10.128.0.0 http - own'];
        yield 'nor the next address' => ['X-Forwarded-For: 198.51.100.4, 192.0.2.6', '192.0.2.6 http - own'];
        yield 'several headers are one list' => ["X-Forwarded-For: 198.51.100.4\r\nx-forwarded-for: 10.0.0.1", '198.51.100.4 http - own'];
        yield 'all are trusted' => ['X-Forwarded-For: 10.0.0.2, 10.0.0.1', '10.0.0.2 http - own'];
        yield 'IPv6' => ['X-Forwarded-For: 2001:DB9:0::1, 2001:db8:1::2', '2001:db9::1 http - own'];
        yield 'IPv4 mapped to IPv6' => ['X-Forwarded-For: ::ffff:198.51.100.4, ::ffff:10.0.0.1, ::FFFF:C000:207', '198.51.100.4 http - own'];
        yield 'with ports' => ['X-Forwarded-For: 198.51.100.4:4711, [2001:db8::1]:80, 10.0.0.1:80', '198.51.100.4 http - own'];
        yield 'a word' => ['X-Forwarded-For: 198.51.100.4, unknown', '127.0.0.1 http - own'];
        yield 'an empty one' => ['X-Forwarded-For: ', '127.0.0.1 http - own'];
        yield 'commas' => ['X-Forwarded-For: ,,,', '127.0.0.1 http - own'];
        yield 'https' => ['X-Forwarded-Proto: https', '127.0.0.1 https on 443'];
        yield 'http' => ['X-Forwarded-Proto: http', '127.0.0.1 http - 80'];
        yield 'the last proxy counts' => ['X-Forwarded-Proto: http, HTTPS', '127.0.0.1 https on 443'];
        yield 'no protocol' => ['X-Forwarded-Proto: https://', '127.0.0.1 http - own'];
        yield 'a port' => ["X-Forwarded-Proto: https\r\nX-Forwarded-Port: 8443", '127.0.0.1 https on 8443'];
        yield 'a port that is none' => ["X-Forwarded-Proto: https\r\nX-Forwarded-Port: 65536", '127.0.0.1 https on 443'];
    }

    #[DataProvider('headers')]
    public function testATrustedProxySpeaksForTheClient(string $headers, string $expected): void
    {
        $server = self::$server ?? self::fail();
        $own = parse_url($server->url('/'), PHP_URL_PORT);

        self::assertSame(str_replace('own', (string) $own, $expected), self::ask($server->address(), $headers));
        self::assertSame("127.0.0.1 http - $own", self::ask($server->address(), ''), 'nothing of it is left for the next');
    }

    public function testTheAccessLogHasTheClient(): void
    {
        // for people there is no address
        $json = new ServerProcess([__DIR__ . '/fixtures/client.php', '--port=0', '--workers=1', '--log=json', '--trusted-proxies=127.0.0.1']);
        try {
            $json->eventually('it serves', static fn (): bool => str_contains($json->output(), '"addresses"'));
            preg_match('~127\.0\.0\.1:\d+~', $json->output(), $address);
            self::ask($address[0] ?? self::fail(), 'X-Forwarded-For: 198.51.100.99');
            $json->eventually('its line', static fn (): bool => str_contains($json->output(), '"client":"198.51.100.99"'));
        } finally {
            $json->destroy();
        }
    }

    public function testNobodyIsTrustedUnlessSomebodySaysSo(): void
    {
        foreach ([[], ['--trusted-proxies=127.0.0.2,::1']] as $options) {
            $server = ServerProcess::serving(__DIR__ . '/fixtures/client.php', ['--workers=1', ...$options]);
            try {
                $own = parse_url($server->url('/'), PHP_URL_PORT);
                self::assertSame("127.0.0.1 http - $own", self::ask($server->address(), "X-Forwarded-For: 198.51.100.4\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Port: 1"));
            } finally {
                $server->destroy();
            }
        }
    }

    public function testNonsenseHarmsNobody(): void
    {
        $server = self::$server ?? self::fail();
        mt_srand(17);
        $pieces = ['198.51.100.4', '10.0.0.1', '::', '[', ']', ':', ',', ' ', "\t", '/', '.', '1', 'ffff', '%', '127.0.0.1', str_repeat('9', 60), "\xff", 'x'];
        for ($i = 0; $i < 750; $i++) {
            $value = '';
            for ($n = mt_rand(0, 12); $n > 0; $n--) {
                $value .= $pieces[array_rand($pieces)];
            }
            $answer = self::ask($server->address(), "X-Forwarded-For:$value\r\nX-Forwarded-Proto:https\r\nX-Forwarded-Port:8443");
            [$address, $rest] = explode(' ', $answer, 2);
            self::assertNotFalse(filter_var($address, FILTER_VALIDATE_IP), "$value: $answer");
            self::assertSame('https on 8443', $rest, 'what is beside nonsense counts');
            $answer = self::ask($server->address(), "X-Forwarded-For:198.51.100.4\r\nX-Forwarded-Proto:$value\r\nX-Forwarded-Port:$value");
            self::assertStringStartsWith('198.51.100.4 http ', $answer, 'what is beside nonsense counts');
        }
    }

    private static function ask(string $address, string $headers): string
    {
        $socket = stream_socket_client("tcp://$address");
        self::assertIsResource($socket);
        fwrite($socket, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" . ($headers === '' ? '' : "$headers\r\n") . "\r\n");

        return explode("\r\n\r\n", (string) stream_get_contents($socket), 2)[1];
    }
}
