<?php

declare(strict_types=1);

/**
 * Makes requests that break a rule. Each ends its connection.
 */
final class Breaker
{
    /** What stands behind a request that is refused must not be served. */
    public const SMUGGLED = 'smuggled';

    public function __construct(private readonly Dice $dice)
    {
    }

    public function request(string $id, Exchange $whole): Exchange
    {
        if ($this->dice->once(2)) {
            return $this->mutated($whole);
        }
        [$what, $bytes, $statuses] = $this->broken($id);
        $after = 'GET /' . self::SMUGGLED . "?m=pieces&n=20 HTTP/1.1\r\nHost: a\r\n\r\n";

        return new Exchange($bytes . ($this->dice->once(2) ? $after : ''), "$what $id", static fn (Answer $answer): ?string => match (true) {
            str_contains($answer->body, self::SMUGGLED) => 'what stood behind it was served',
            in_array($answer->status, $statuses, true) => null,
            default => "status $answer->status instead of " . implode(' or ', $statuses),
        }, ends: true);
    }

    /** Some bytes of a good one changed, left out, doubled, or exchanged. */
    private function mutated(Exchange $whole): Exchange
    {
        $dice = $this->dice;
        $bytes = $whole->bytes;
        if (str_starts_with($bytes, 'HEAD')) {
            $bytes = 'GET' . substr($bytes, 4); // it would not be known which answers have a body
        }
        for ($i = $dice->between(1, 4); $i > 0; $i--) {
            $head = strpos($bytes, "\r\n\r\n") ?: strlen($bytes);
            $at = $dice->between(0, max(0, ($dice->once(4) ? strlen($bytes) : $head + 3) - 1));
            $length = $dice->pick([0, 1, 1, 1, 2, 5, 50]);
            $new = match ($dice->between(0, 4)) {
                0 => '',
                1 => $dice->bytes($length),
                2 => $dice->pick(
                    ["\r\n", "\n", "\r", "\0", ' ', ':', "\r\n\r\n", "\t", "\x80", '%', '#', '?', '0', "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", '9999999999'],
                ),
                3 => str_repeat(substr($bytes, $at, max(1, $length)), $dice->between(2, 40)),
                4 => $dice->shuffledBytes(substr($bytes, $at, $length)),
            };
            $bytes = substr($bytes, 0, $at) . $new . substr($bytes, $at + $length);
        }

        return new Exchange($bytes, 'mutated ' . $whole->what, static fn (Answer $answer): ?string => null, wild: true);
    }

    /** @return array{string, string, list<int>} */
    private function broken(string $id): array
    {
        $dice = $this->dice;
        $line = "GET /$id HTTP/1.1\r\n";
        $host = "Host: a\r\n";
        $post = "POST /$id HTTP/1.1\r\n$host";
        $chunked = "{$post}Transfer-Encoding: chunked\r\n\r\n";
        $many = static fn (int $count): string => implode('', array_map(static fn (int $i) => "X-$i-$id: 1\r\n", range(1, $count)));

        return $dice->pick([
            ['too many headers', $line . $host . $many($dice->between(100, 400)) . "\r\n", [431]],
            ['a long header', "$line{$host}X-Long: " . str_repeat('x', $dice->between(33000, 200000)) . "\r\n\r\n", [431]],
            ['a long target', "GET /$id" . str_repeat('x', $dice->between(8200, 90000)) . " HTTP/1.1\r\n$host\r\n", [414]],
            ['a long body', "{$post}Content-Length: " . $dice->between(2_000_000, PHP_INT_MAX >> 10) . "\r\n\r\nabc", [413]],
            ['a long chunk', $chunked . "fffffff\r\nabc", [413]],
            ['a wrong chunk', $chunked . $dice->pick(["x\r\n", "-1\r\n", "3\r\nabcd\r\n", "3\nabc\r\n", " 3\r\nabc\r\n", "\r\n", str_repeat('0', 2000)]), [400]],
            ['more framing than data', $chunked . str_repeat('1;' . str_repeat('x', 900) . "\r\na\r\n", 120), [400]],
            ['two lengths', "{$post}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", [400]],
            ['length and chunked', "{$post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]],
            ['a wrong length', "{$post}Content-Length: " . $dice->pick(['+3', '3,3', '0x3', '', '-1', '3 3', str_repeat('9', 30)]) . "\r\n\r\nabc", [400]],
            ['another coding', "{$post}Transfer-Encoding: " . $dice->pick(['gzip', 'gzip, chunked', 'xchunked']) . "\r\n\r\n", [501, 400]],
            ['no host', "$line\r\n", [400]],
            ['two hosts', "$line$host$host\r\n", [400]],
            ['a wrong host', "GET /$id HTTP/1.1\r\nHost: " . $dice->pick(['a:80:80', '[::1', 'a%zz', 'a:99999999', ':80', 'a/b', 'a@b', '::1', '[x]']) . "\r\n\r\n", [400]],
            ['a fragment', "GET /$id#" . $dice->word(0, 9) . " HTTP/1.1\r\n$host\r\n", [400]],
            ['a bare LF', str_replace("\r\n", "\n", "$line$host\r\n"), [400]],
            ['a NUL', "$line{$host}X-A: b\0c\r\n\r\n", [400]],
            ['folded', "$line{$host}X-A: b\r\n c\r\n\r\n", [400]],
            ['another version', "GET /$id HTTP/" . $dice->pick(['2.0', '0.9', '9.9']) . "\r\n$host\r\n", [505]],
            ['an unknown method', $dice->pick(['BREW', 'get', 'SOURCE', 'CONNECT']) . " /$id HTTP/1.1\r\n$host\r\n", [501, 400]],
            ['another expectation', "{$post}Expect: 200-ok\r\nContent-Length: 3\r\n\r\nabc", [417]],
            ['noise', "\x15" . $dice->bytes($dice->between(0, 3000)), [400]], // a 16 would be TLS, which has no answer
        ]);
    }
}
