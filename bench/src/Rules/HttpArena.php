<?php

declare(strict_types=1);

namespace Weft\Bench\Rules;

use Weft\Bench\Answer;
use Weft\Bench\Http;
use Weft\Bench\Json;
use Weft\Bench\Material;

/** What HttpArena asks of the answers to its profiles before anybody is measured, by profile. Each rule returns what is wrong, if anything is. */
final class HttpArena extends Rules
{
    /** Others than those under load: who has learned the answers by heart shows it. */
    private const COUNTS = [12, 22, 31, 50];

    /** Ranges of prices, and how many of them are asked for. */
    private const RANGES = [[5, 80, 7], [20, 150, 18], [100, 400, 33], [10, 50, 50]];

    private const UPLOADS = [17, 500_000, 2 << 20, 10 << 20, 20 << 20];
    private const PAUSE_MS = 30;

    /** By the end of a file's name. */
    private const TYPES = [
        'css' => 'text/css', 'js' => 'text/javascript', 'html' => 'text/html', 'json' => 'application/json', 'svg' => 'image/svg+xml',
        'webp' => 'image/webp', 'woff2' => 'font/woff2',
    ];

    /** @return list<string> what a server does wrong, of what the profile needs */
    public static function check(string $profile, int $port): array
    {
        $wrong = match ($profile) {
            'baseline' => self::checkBaseline($port),
            'json' => self::checkJson($port),
            'async-db' => self::checkItems($port),
            'api-4' => [...self::checkBaseline($port), ...self::checkJson($port), ...self::checkItems($port)],
            'upload' => self::checkUpload($port),
            'static' => self::checkFiles($port),
            'async' => self::checkAsync($port),
            default => throw new \LogicException("no profile \"$profile\""),
        };

        return array_values(array_unique($wrong));
    }

    /** @return list<string> */
    public static function sum(Answer $answer, int $sum): array
    {
        return [...self::type($answer, 'text/plain'), ...self::complaints([sprintf('%s, not %d', Json::excerpt($answer->body), $sum) => $answer->body === (string) $sum])];
    }

    /** @return list<string> */
    public static function items(Answer $answer, int $count, int $times): array
    {
        return [...self::listed($answer, $count), ...self::each($answer, [
            'a total is not price × quantity × m' => static fn (array $item): bool
                => ($item['total'] ?? null) === self::int($item, 'price') * self::int($item, 'quantity') * $times,
            'an item is not that of the data set' => static fn (array $item): bool
                => array_diff_key($item, ['total' => 0]) == (array_column(Material::items(), null, 'id')[self::int($item, 'id')] ?? null),
        ])];
    }

    /** @return list<string> */
    public static function rows(Answer $answer, int $min, int $max, int $count): array
    {
        return [...self::listed($answer, $count), ...self::each($answer, [
            'a price is not in the range' => static fn (array $item): bool => self::int($item, 'price') >= $min && self::int($item, 'price') <= $max,
            'a rating is not an object of score and count' => static fn (array $item): bool
                => is_array($item['rating'] ?? null) && is_int($item['rating']['score'] ?? null) && is_int($item['rating']['count'] ?? null),
            'tags are no list' => static fn (array $item): bool => is_array($item['tags'] ?? null) && array_is_list($item['tags']),
            'active is neither true nor false' => static fn (array $item): bool => is_bool($item['active'] ?? null),
            'a quantity is no number' => static fn (array $item): bool => is_int($item['quantity'] ?? null),
        ])];
    }

    /** @return list<string> */
    public static function file(Answer $answer, string $name, string $content): array
    {
        $body = match ($answer->header('Content-Encoding')) {
            '' => $answer->body,
            'gzip' => (string) @gzdecode($answer->body),
            default => 'in an encoding that nobody has asked for',
        };

        return [
            ...self::type($answer, self::TYPES[pathinfo($name, PATHINFO_EXTENSION)] ?? ''),
            ...self::complaints([sprintf('%s has %d bytes, or others, not its %d', $name, strlen($body), strlen($content)) => $body === $content]),
        ];
    }

    /** @return list<string> */
    public static function missing(Answer $answer): array
    {
        return self::complaints(["a file that is not there has status $answer->status" => $answer->status === 404]);
    }

    /** @return list<string> */
    private static function checkBaseline(int $port): array
    {
        [$a, $b, $one, $other] = array_map(static fn (): int => random_int(100, 999), range(1, 4));
        $path = "/baseline11?a=$a&b=$b";
        $plain = ['Content-Type: text/plain'];
        $wrong = [
            self::sum(Http::answer($port, $path), $a + $b),
            self::sum(Http::answer($port, $path, $plain, (string) $one), $a + $b + $one),
            self::sum(Http::answer($port, $path, $plain, (string) $other), $a + $b + $other),
            self::sum(Http::answer($port, $path, [...$plain, 'Transfer-Encoding: chunked'], (string) $one), $a + $b + $one),
        ];
        $lines = ["Host: localhost\r\n", "User-Agent: bench\r\n", "Connection: close\r\n"];
        $post = "POST $path HTTP/1.1\r\n" . implode('', $lines) . "Content-Type: text/plain\r\nContent-Length: 3\r\n\r\n";
        foreach ([
            [$a + $b, 'GET /baseli', "ne11?a=$a&b=$b HTTP/1.1\r\n" . implode('', $lines) . "\r\n"],
            [$a + $b, "GET $path HTTP/1.1\r\n", ...$lines, ...["\r\n"]],
            [$a + $b + $one, $post, (string) $one],
            [$a + $b + $one, $post, ...str_split((string) $one)],
        ] as $pieces) {
            $sum = (int) array_shift($pieces);
            $wrong[] = self::sum(Http::pieces($port, array_map(strval(...), $pieces), self::PAUSE_MS), $sum);
        }

        return array_merge(...$wrong);
    }

    /** @return list<string> */
    private static function checkJson(int $port): array
    {
        return array_merge(...array_map(static fn (int $count): array => self::items(Http::answer($port, "/json/$count?m=" . ($count + 1)), $count, $count + 1), self::COUNTS));
    }

    /** @return list<string> */
    private static function checkItems(int $port): array
    {
        $wrong = self::rows(Http::answer($port, '/async-db?min=9999&max=9999&limit=50'), 9999, 9999, 0);
        foreach (self::RANGES as [$min, $max, $limit]) {
            array_push($wrong, ...self::rows(Http::answer($port, "/async-db?min=$min&max=$max&limit=$limit"), $min, $max, $limit));
        }

        return [...$wrong, ...self::rows(Http::answer($port, '/async-db'), 10, 50, 50), ...self::rows(Http::answer($port, '/async-db?limit=1000'), 10, 50, 50)];
    }

    /** @return list<string> */
    private static function checkUpload(int $port): array
    {
        return array_merge(...array_map(
            static fn (int $bytes): array => self::sum(Http::answer($port, '/upload', ['Content-Type: application/octet-stream'], random_bytes($bytes)), $bytes),
            [...self::UPLOADS, random_int(30, 90)],
        ));
    }

    /** @return list<string> */
    private static function checkFiles(int $port): array
    {
        $wrong = self::missing(Http::answer($port, '/static/nowhere.txt'));
        foreach (Material::contents() as $name => $content) {
            foreach ([[], ['Accept-Encoding: gzip']] as $send) {
                array_push($wrong, ...self::file(Http::answer($port, "/static/$name", $send), $name, $content));
            }
        }

        return $wrong;
    }

    /** @return list<string> */
    private static function checkAsync(int $port): array
    {
        $start = microtime(true);
        $answer = Http::answer($port, '/sleep?ms=30');

        return self::complaints(['an answer that came too early' => microtime(true) - $start >= 0.03, 'not "slept"' => $answer->body === "slept\n"]);
    }

    /** @return list<string> */
    private static function listed(Answer $answer, int $count): array
    {
        $said = $answer->json();
        $said = is_array($said) ? $said : [];
        $items = is_array($said['items'] ?? null) ? $said['items'] : [];

        return [...self::type($answer, 'application/json'), ...self::complaints([
            sprintf('%d items, not %d', count($items), $count) => count($items) === $count,
            'count is not the number of items' => ($said['count'] ?? null) === count($items),
        ])];
    }

    /**
     * @param array<string, \Closure(array<array-key, mixed>): bool> $rules whether an item keeps each, by what to say when it does not
     *
     * @return list<string>
     */
    private static function each(Answer $answer, array $rules): array
    {
        $said = $answer->json();
        $items = is_array($said) && is_array($said['items'] ?? null) ? array_filter($said['items'], is_array(...)) : [];
        $kept = static fn (\Closure $rule): bool => array_filter($items, static fn (array $item): bool => !$rule($item)) === [];

        return self::complaints(array_map($kept, $rules));
    }

    /** @return list<string> */
    private static function type(Answer $answer, string $type): array
    {
        $said = strtolower(trim(explode(';', $answer->header('Content-Type'))[0]));

        return self::complaints([
            "status $answer->status: " . Json::excerpt($answer->body) => $answer->status === 200,
            "Content-Type is \"$said\", not $type" => $said === $type || ($type === 'text/javascript' && $said === 'application/javascript'),
        ]);
    }

    /** @param array<array-key, mixed> $item */
    private static function int(array $item, string $key): int
    {
        return is_int($item[$key] ?? null) ? $item[$key] : 0;
    }
}
