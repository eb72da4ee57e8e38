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
    public static function get(int $port, string $path, float $timeout = 30.0, array $send = [], Listens $listens = Listens::Http): array
    {
        $answer = self::answer($port, $path, $send, timeout: $timeout, listens: $listens);

        return [$answer->status, $answer->body];
    }

    /**
     * The whole answer; with a body that is sent, to a POST.
     *
     * @param list<string> $send header lines
     */
    public static function answer(int $port, string $path, array $send = [], ?string $body = null, float $timeout = 30.0, Listens $listens = Listens::Http): Answer
    {
        $handle = curl_init($listens->url($port, $path)) ?: throw new Failure("Not a URL: $path");
        $head = '';
        $options = [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => $send, CURLOPT_TIMEOUT_MS => (int) ($timeout * 1000)];
        curl_setopt_array($handle, $options + $listens->curl());
        curl_setopt($handle, CURLOPT_HEADERFUNCTION, static function ($handle, string $line) use (&$head): int {
            // "100 Continue" has a head of its own
            $head = str_starts_with($line, 'HTTP/') ? $line : $head . $line;

            return strlen($line);
        });
        if ($body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $body);
        }
        $said = curl_exec($handle);
        $method = $body === null ? 'GET' : 'POST';

        return is_string($said) ? Answer::of($head, $said) : throw new Failure("$method $path: " . curl_error($handle));
    }

    /**
     * Sends a request that asks for the end of its connection, in pieces, as a slow line would.
     *
     * @param list<string> $pieces
     */
    public static function pieces(int $port, array $pieces, int $pauseMs): Answer
    {
        $socket = @stream_socket_client("tcp://127.0.0.1:$port", $code, $message, 5.0);
        if ($socket === false) {
            throw new Failure("Could not connect: $message");
        }
        stream_set_timeout($socket, 5);
        foreach ($pieces as $number => $piece) {
            usleep($number === 0 ? 0 : 1000 * $pauseMs);
            fwrite($socket, $piece);
        }
        [$head, $body] = explode("\r\n\r\n", (string) stream_get_contents($socket), 2) + [1 => ''];
        $answer = Answer::of($head, $body);
        if ($answer->header('Transfer-Encoding') !== 'chunked') {
            return $answer;
        }
        $chunks = fopen('php://memory', 'r+') ?: throw new Failure('no memory for chunks');
        fwrite($chunks, $body);
        rewind($chunks);
        stream_filter_append($chunks, 'dechunk', STREAM_FILTER_READ);

        return new Answer($answer->status, $answer->headers, (string) stream_get_contents($chunks));
    }

    /**
     * The body of a 200; anything else is a failure that quotes it.
     *
     * @param list<string> $send header lines
     */
    public static function body(int $port, string $path, array $send = [], Listens $listens = Listens::Http): string
    {
        [$status, $body] = self::get($port, $path, send: $send, listens: $listens);

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
