<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use CurlHandle;
use PHPUnit\Framework\Assert;

/**
 * An HTTP client that sends many requests at once.
 */
final class Client
{
    /**
     * @return array{int, string} status (0: no answer) and body
     */
    public static function get(string $url): array
    {
        return self::all([$url], 1)[0];
    }

    /**
     * @return array<array-key, mixed>
     */
    public static function json(string $url): array
    {
        [$status, $body] = self::get($url);
        Assert::assertSame(200, $status, $body);
        $value = json_decode($body, true);
        Assert::assertIsArray($value, $body);

        return $value;
    }

    /**
     * @param list<string> $urls
     * @return list<array{int, string}> in the order of the URLs
     */
    public static function all(array $urls, int $atOnce): array
    {
        $several = curl_multi_init();
        curl_multi_setopt($several, CURLMOPT_MAX_TOTAL_CONNECTIONS, $atOnce);
        $handles = array_map(self::handle(...), $urls);
        foreach ($handles as $handle) {
            curl_multi_add_handle($several, $handle);
        }
        do {
            curl_multi_exec($several, $running);
            curl_multi_select($several, 0.2);
        } while ($running > 0);

        return array_map(
            static fn (CurlHandle $handle): array => [curl_getinfo($handle, CURLINFO_RESPONSE_CODE), (string) curl_multi_getcontent($handle)],
            $handles,
        );
    }

    /**
     * Begins a request in the background: a socket from which the whole answer can be read.
     *
     * @return resource
     */
    public static function begin(string $url)
    {
        $parts = parse_url($url);
        Assert::assertIsArray($parts);
        $authority = ($parts['host'] ?? '') . ':' . ($parts['port'] ?? 80);
        $socket = stream_socket_client("tcp://$authority");
        Assert::assertIsResource($socket);
        stream_set_timeout($socket, 30);
        fwrite($socket, 'GET ' . ($parts['path'] ?? '/') . '?' . ($parts['query'] ?? '') . " HTTP/1.1\r\nHost: $authority\r\nConnection: close\r\n\r\n");

        return $socket;
    }

    private static function handle(string $url): CurlHandle
    {
        $handle = curl_init($url);
        Assert::assertNotFalse($handle);
        curl_setopt_array($handle, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 60, CURLOPT_CONNECTTIMEOUT => 10]);

        return $handle;
    }
}
