<?php

declare(strict_types=1);

namespace Weft\Bench\Rules;

use DOMDocument;
use DOMElement;
use Weft\Bench\Answer;
use Weft\Bench\Http;
use Weft\Bench\Json;
use Weft\Bench\Material;

/**
 * What TechEmpower asks of an answer before anybody is measured. Each rule returns what is wrong, if anything is. One is
 * not looked at, since all arms run the same code: that each row is asked for by a query of its own.
 */
final class TechEmpower extends Rules
{
    private const TYPES = [
        'plain' => '~^text/plain(; ?charset=utf-8)?$~i', 'json' => '~^application/json(; ?charset=utf-8)?$~i', 'html' => '~^text/html; ?charset=utf-8$~i',
    ];

    /** What a client may ask for in place of a number, and how many rows it gets then. */
    public const COUNTS = ['1' => 1, '2' => 2, '20' => 20, '500' => 500, '501' => 500, '0' => 1, '-3' => 1, 'foo' => 1, '' => 1];

    public const ADDED = 'Additional fortune added at request time.';

    /** So many of the rows that were written must have another number than before: chance may draw the same. */
    private const CHANGED = 0.95;

    /**
     * @param int  $database its port
     * @param bool $keeps    whether the server keeps anything between requests, as the cached queries need it
     *
     * @return list<string> what a server does wrong on any of its pages
     */
    public static function check(int $port, int $database, bool $keeps): array
    {
        $wrong = [];
        $first = Http::answer($port, '/plaintext');
        $wrong['plaintext'] = [...self::head($first, 'plain'), ...self::plaintext($first)];
        $wrong['json'] = [...self::head($answer = Http::answer($port, '/json'), 'json'), ...self::json($answer)];
        $wrong['db'] = [...self::head($answer = Http::answer($port, '/db'), 'json'), ...self::world($answer->json())];
        foreach (['/queries?queries=', '/updates?queries=', ...($keeps ? ['/cached-queries?count='] : [])] as $path) {
            foreach (self::COUNTS as $asked => $rows) {
                $answer = Http::answer($port, $path . $asked);
                $wrong[$path . $asked] = [...self::head($answer, 'json'), ...self::worlds($answer, $rows)];
            }
            $wrong[$path] = self::worlds(Http::answer($port, explode('?', $path)[0]), 1);
        }
        $pdo = Material::connect($database);
        $table = static fn (): array => ($pdo->query('SELECT id, randomnumber FROM world') ?: throw new \LogicException())->fetchAll();
        $before = $table();
        $answer = Http::answer($port, '/updates?queries=500');
        $wrong['updates'] = self::updates($answer, $before, $table());
        $wrong['fortunes'] = [...self::head($answer = Http::answer($port, '/fortunes'), 'html'), ...self::fortunes($answer, Material::fortunes())];
        // Seconds is all that the header knows.
        usleep(1_200_000);
        $wrong['date'] = self::dateMoves($first, Http::answer($port, '/plaintext'));
        $said = [];
        foreach ($wrong as $page => $complaints) {
            array_push($said, ...array_map(static fn (string $complaint): string => "$page: $complaint", $complaints));
        }

        return $said;
    }

    /**
     * @param 'plain'|'json'|'html' $kind
     *
     * @return list<string>
     */
    public static function head(Answer $answer, string $kind): array
    {
        $missing = array_filter(['Server', 'Date', 'Content-Type'], static fn (string $name): bool => $answer->header($name) === '');
        [$date, $type] = [$answer->header('Date'), $answer->header('Content-Type')];

        return self::complaints([
            "status $answer->status" => $answer->status === 200,
            'no header ' . implode(', ', $missing) => $missing === [],
            'neither Content-Length nor Transfer-Encoding' => $answer->header('Content-Length') . $answer->header('Transfer-Encoding') !== '',
            "Date is \"$date\"" => $date === '' || \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $date) !== false,
            "Content-Type is \"$type\"" => $type === '' || preg_match(self::TYPES[$kind], $type) === 1,
        ]);
    }

    /** @return list<string> */
    public static function dateMoves(Answer $first, Answer $later): array
    {
        return self::complaints(['the date of an answer is that of another one' => $first->header('Date') !== $later->header('Date')]);
    }

    /** @return list<string> */
    public static function plaintext(Answer $answer): array
    {
        return self::complaints(['not "Hello, World!": ' . Json::excerpt($answer->body) => $answer->body === 'Hello, World!']);
    }

    /** @return list<string> */
    public static function json(Answer $answer): array
    {
        return self::complaints(['not {"message":"Hello, World!"}: ' . Json::excerpt($answer->body) => $answer->json() === ['message' => 'Hello, World!']]);
    }

    /** @return list<string> */
    public static function world(mixed $row): array
    {
        $text = Json::excerpt((string) json_encode($row));
        if (!is_array($row) || array_is_list($row)) {
            return ["not an object: $text"];
        }
        $keys = array_keys($row);
        sort($keys);
        if ($keys !== ['id', 'randomNumber']) {
            return ["not an object of id and randomNumber: $text"];
        }

        return self::complaints([
            "the id is no number from 1 to 10,000: $text" => is_int($row['id']) && $row['id'] >= 1 && $row['id'] <= Material::WORLDS,
            "randomNumber is no number from 1 to 10,000: $text" => is_int($row['randomNumber']) && $row['randomNumber'] >= 1 && $row['randomNumber'] <= Material::WORLDS,
        ]);
    }

    /** @return list<string> */
    public static function worlds(Answer $answer, int $count): array
    {
        $rows = $answer->json();
        if (!is_array($rows) || !array_is_list($rows)) {
            return ['not a list: ' . Json::excerpt($answer->body)];
        }

        return [
            ...self::complaints([sprintf('%d rows, not %d', count($rows), $count) => count($rows) === $count]),
            ...array_slice(array_merge(...array_map(self::world(...), $rows)), 0, 1),
        ];
    }

    /**
     * @param array<array-key, mixed> $before numbers of the table by id
     * @param array<array-key, mixed> $after
     *
     * @return list<string>
     */
    public static function updates(Answer $answer, array $before, array $after): array
    {
        $rows = $answer->json();
        $said = is_array($rows) ? array_column($rows, 'randomNumber', 'id') : [];
        $changed = array_filter($said, static fn (mixed $number, int|string $id): bool => ($before[$id] ?? null) !== $number, ARRAY_FILTER_USE_BOTH);

        return self::complaints([
            'a row is there twice' => is_array($rows) && count($said) === count($rows),
            'the table does not hold what was answered' => array_intersect_key($after, $said) == $said,
            'other rows have changed' => array_diff_key($before, $said) === array_diff_key($after, $said),
            sprintf('%d of %d rows have another number', count($changed), count($said)) => count($changed) >= self::CHANGED * count($said),
        ]);
    }

    /**
     * @param array<int, string> $stored messages by id
     *
     * @return list<string>
     */
    public static function fortunes(Answer $answer, array $stored): array
    {
        $expected = $stored + [0 => self::ADDED];
        asort($expected, SORT_STRING);
        $page = new DOMDocument();
        @$page->loadHTML('<?xml encoding="UTF-8">' . $answer->body);
        $found = $headings = [];
        foreach ($page->getElementsByTagName('tr') as $row) {
            $cells = array_map(static fn (\DOMNode $cell): string => $cell->textContent, iterator_to_array($row->childNodes, false));
            $row->firstChild instanceof DOMElement && $row->firstChild->tagName === 'th' ? $headings[] = $cells : $found[(int) ($cells[0] ?? -1)] = $cells[1] ?? '';
        }
        $sorted = $found;
        asort($sorted, SORT_STRING);

        return self::complaints([
            'it does not begin with <!DOCTYPE html>' => str_starts_with(strtolower($answer->body), '<!doctype html>'),
            'its title is not Fortunes' => $page->getElementsByTagName('title')->item(0)?->textContent === 'Fortunes',
            'the table is not headed by id and message' => $headings === [['id', 'message']],
            'a message is not escaped' => $page->getElementsByTagName('script')->length === 0 && !str_contains($answer->body, '<script>'),
            'the fortune of the request is missing' => ($found[0] ?? null) === self::ADDED,
            'the messages are not those of the table' => array_diff_assoc($expected, $found) === [] && array_diff_assoc($found, $expected) === [],
            'the messages are not in order' => $found === $sorted,
        ]);
    }
}
