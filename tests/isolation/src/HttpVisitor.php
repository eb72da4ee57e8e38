<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/** Sends requests to a server. */
final class HttpVisitor implements Visitor
{
    private const TIMEOUT = 60;

    public function __construct(private readonly string $url)
    {
    }

    public function send(Visit $visit, array $cookies, int $seed): Reply
    {
        $lines = ['Expect:'];
        foreach ($visit->allHeaders($seed) as $name => $value) {
            $lines[] = "$name: $value";
        }
        if ($cookies !== []) {
            $lines[] = 'Cookie: ' . implode('; ', array_map(
                static fn (string $name, string $value): string => $name . '=' . rawurlencode($value),
                array_keys($cookies),
                $cookies,
            ));
        }
        $headers = [];
        $handle = curl_init($this->url . $visit->uri());
        curl_setopt_array($handle, [
            CURLOPT_TIMEOUT => self::TIMEOUT,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => static function (mixed $handle, string $line) use (&$headers): int {
                if (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $headers[strtolower($name)][] = trim($value);
                }

                return strlen($line);
            },
        ]);
        if ($visit->fields !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, http_build_query($visit->fields));
        }
        $body = curl_exec($handle);
        if (!is_string($body)) {
            return new Reply(0, [], curl_error($handle));
        }

        return new Reply((int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, $body);
    }
}
