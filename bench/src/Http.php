<?php

declare(strict_types=1);

namespace Weft\Bench;

/** One request at a time, to check what an arm answers before and after the load. */
final class Http
{
    /** @param array<string, string> $headers by name in lower case */
    private function __construct(
        public readonly int $status,
        public readonly string $body,
        public readonly int $bytes,
        public readonly array $headers,
    ) {
    }

    public static function reachable(int $port, float $seconds): bool
    {
        $end = microtime(true) + $seconds;
        do {
            $socket = @stream_socket_client("tcp://127.0.0.1:$port", $code, $message, 1.0);
            if ($socket !== false) {
                fclose($socket);

                return true;
            }
            usleep(20_000);
        } while (microtime(true) < $end);

        return false;
    }

    /** @param list<string> $send header lines */
    public static function get(int $port, string $path, float $timeout = 30.0, array $send = []): self
    {
        $handle = curl_init("http://127.0.0.1:$port$path");
        if ($handle === false) {
            throw new Failure("Not a URL: $path");
        }
        $head = 0;
        $headers = [];
        curl_setopt_array($handle, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HTTPHEADER => $send,
            CURLOPT_TIMEOUT_MS => (int) ($timeout * 1000),
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$head, &$headers): int {
                $head += strlen($line);
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower(trim($name))] = trim($value);

                return strlen($line);
            },
        ]);
        $body = curl_exec($handle);
        if (!is_string($body)) {
            throw new Failure("GET $path: " . curl_error($handle));
        }

        return new self((int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $body, strlen($body) + $head, $headers);
    }

    /** The body of a 200; anything else is a failure that quotes it. */
    public static function body(int $port, string $path): string
    {
        $answer = self::get($port, $path);
        if ($answer->status !== 200) {
            throw new Failure("GET $path: status $answer->status: " . Value::excerpt(strip_tags($answer->body)));
        }

        return $answer->body;
    }

    /** As body(), of a page that has a version for people too. */
    public static function json(int $port, string $path): string
    {
        $answer = self::get($port, $path, send: ['Accept: application/json']);
        if ($answer->status !== 200) {
            throw new Failure("GET $path: status $answer->status: " . Value::excerpt($answer->body));
        }

        return $answer->body;
    }

    /** Null when both bodies say the same, up to values that differ by nature (times, counters); else what differs. */
    public static function difference(string $one, string $other): ?string
    {
        if ($one === $other) {
            return null;
        }
        $left = json_decode($one, true);
        $right = json_decode($other, true);
        if (is_array($left) && is_array($right)) {
            return self::shape($left) === self::shape($right)
                ? null
                : 'the JSON of the arms has different structure: ' . Value::excerpt($one) . ' / ' . Value::excerpt($other);
        }

        return 'the bodies of the arms differ: ' . Value::excerpt($one) . ' / ' . Value::excerpt($other);
    }

    /** @param array<mixed> $value */
    private static function shape(array $value): string
    {
        $parts = [];
        foreach ($value as $key => $item) {
            $type = is_int($item) || is_float($item) ? 'number' : get_debug_type($item);
            $shape = is_array($item) ? self::shape($item) : $type;
            // A list counts as one of its elements: how many there are may depend on the data.
            $parts[is_int($key) ? '[]' : $key] = $shape;
        }
        ksort($parts);

        return (string) json_encode($parts);
    }
}
