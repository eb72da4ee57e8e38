<?php

declare(strict_types=1);

namespace Weft\Bench;

/** One request at a time, to check what an arm answers before and after the load. */
final class Http
{
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

    /**
     * @param list<string> $send header lines
     *
     * @return array{int, string} status and body
     */
    public static function get(int $port, string $path, float $timeout = 30.0, array $send = []): array
    {
        $handle = curl_init("http://127.0.0.1:$port$path") ?: throw new Failure("Not a URL: $path");
        curl_setopt_array($handle, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => $send, CURLOPT_TIMEOUT_MS => (int) ($timeout * 1000)]);
        $body = curl_exec($handle);

        return is_string($body) ? [(int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $body] : throw new Failure("GET $path: " . curl_error($handle));
    }

    /**
     * The body of a 200; anything else is a failure that quotes it.
     *
     * @param list<string> $send header lines
     */
    public static function body(int $port, string $path, array $send = []): string
    {
        [$status, $body] = self::get($port, $path, send: $send);

        return $status === 200 ? $body : throw new Failure("GET $path: status $status: " . Json::excerpt(strip_tags($body)));
    }

    /** As body(), of a page that has a version for people too. */
    public static function json(int $port, string $path): Json
    {
        return Json::decode(self::body($port, $path, ['Accept: application/json']));
    }

    /** Asks so many times with h2load: every answer has to be a 200. */
    public static function ask(Server $server, string $path, int $requests, int $clients): void
    {
        $h2load = Program::find('h2load', 'nghttp2-client');
        [, $output] = Program::run([$h2load, '--h1', "-n$requests", "-c$clients", "http://127.0.0.1:$server->port$path"]);
        if (!str_contains($output, "status codes: $requests 2xx")) {
            throw new Failure(
                "$path: " . (preg_match('/^(requests|status codes): .*$/m', $output, $match) === 1 ? $match[0] : Json::excerpt($output)) . ' ' . Json::excerpt($server->output()),
            );
        }
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
                : 'the JSON of the arms has different structure: ' . Json::excerpt($one) . ' / ' . Json::excerpt($other);
        }

        return 'the bodies of the arms differ: ' . Json::excerpt($one) . ' / ' . Json::excerpt($other);
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
