<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bench\Answer;
use Weft\Bench\Material;
use Weft\Bench\Rules\TechEmpower;

/** A right answer, and one for each rule that breaks it alone. */
final class TechEmpowerRulesTest extends TestCase
{
    private const HEAD = ['server' => 's', 'date' => 'Wed, 25 Nov 2026 21:00:00 GMT', 'content-type' => 'application/json', 'content-length' => '1'];

    public function testRightAnswersKeepTheRules(): void
    {
        self::assertSame([], TechEmpower::head(self::answer(), 'json'));
        self::assertSame([], TechEmpower::head(self::answer(head: ['content-type' => 'text/plain;charset=UTF-8']), 'plain'));
        $chunks = ['content-type' => 'text/html; charset=utf-8', 'content-length' => '', 'transfer-encoding' => 'chunked'];
        self::assertSame([], TechEmpower::head(self::answer(head: $chunks), 'html'));
        self::assertSame([], TechEmpower::dateMoves(self::answer(), self::answer(head: ['date' => 'Wed, 25 Nov 2026 21:00:01 GMT'])));
        self::assertSame([], TechEmpower::plaintext(self::answer('Hello, World!')));
        self::assertSame([], TechEmpower::json(self::answer('{"message": "Hello, World!"}')));
        self::assertSame([], TechEmpower::world(['randomNumber' => 1, 'id' => 10_000]));
        self::assertSame([], TechEmpower::worlds(self::answer('[{"id":1,"randomNumber":2}]'), 1));
        self::assertSame([], TechEmpower::updates(self::answer('[{"id":1,"randomNumber":20}]'), [1 => 10, 2 => 10], [1 => 20, 2 => 10]));
        self::assertSame([], TechEmpower::fortunes(self::answer(self::page(self::rows())), Material::fortunes()));
    }

    /** @return array<string, array{string, array<string, string>, 2?: int}> */
    public static function heads(): array
    {
        return [
            'status' => ['status 500', [], 500],
            'no Server' => ['no header Server', ['server' => '']],
            'no Date' => ['no header Date', ['date' => '']],
            'no Content-Type' => ['no header Content-Type', ['content-type' => '']],
            'no length' => ['neither Content-Length nor Transfer-Encoding', ['content-length' => '']],
            'another date' => ['Date is "2026-11-25 21:00:00"', ['date' => '2026-11-25 21:00:00']],
            'another type' => ['Content-Type is "text/json"', ['content-type' => 'text/json']],
            'another character set' => ['Content-Type is "application/json; charset=latin1"', ['content-type' => 'application/json; charset=latin1']],
        ];
    }

    /** @param array<string, string> $head */
    #[DataProvider('heads')]
    public function testAHeadThatBreaksARule(string $complaint, array $head, int $status = 200): void
    {
        self::assertSame([$complaint], TechEmpower::head(self::answer('', $head, $status), 'json'));
    }

    public function testAPageNeedsItsCharacterSet(): void
    {
        self::assertSame(['Content-Type is "text/html"'], TechEmpower::head(self::answer(head: ['content-type' => 'text/html']), 'html'));
    }

    public function testADateThatStandsStill(): void
    {
        self::assertSame(['the date of an answer is that of another one'], TechEmpower::dateMoves(self::answer(), self::answer()));
    }

    public function testAnotherText(): void
    {
        self::assertSame(['not "Hello, World!": Hello, World! ?'], TechEmpower::plaintext(self::answer('Hello, World! ?')));
    }

    public function testAnotherObject(): void
    {
        self::assertCount(1, TechEmpower::json(self::answer('{"message":"Hello, World!","more":1}')));
        self::assertCount(1, TechEmpower::json(self::answer('"Hello, World!"')));
    }

    /** @return array<string, array{string, mixed}> */
    public static function worlds(): array
    {
        return [
            'a list' => ['not an object: [1]', [1]],
            'one key more' => ['not an object of id and randomNumber: {"id":1,"randomNumber":2,"x":3}', ['id' => 1, 'randomNumber' => 2, 'x' => 3]],
            'a key in other letters' => ['not an object of id and randomNumber: {"id":1,"randomnumber":2}', ['id' => 1, 'randomnumber' => 2]],
            'an id in quotes' => ['the id is no number from 1 to 10,000: {"id":"1","randomNumber":2}', ['id' => '1', 'randomNumber' => 2]],
            'an id that there is not' => ['the id is no number from 1 to 10,000: {"id":10001,"randomNumber":2}', ['id' => 10_001, 'randomNumber' => 2]],
            'a number that is none' => ['randomNumber is no number from 1 to 10,000: {"id":1,"randomNumber":null}', ['id' => 1, 'randomNumber' => null]],
            'a number out of its range' => ['randomNumber is no number from 1 to 10,000: {"id":1,"randomNumber":0}', ['id' => 1, 'randomNumber' => 0]],
        ];
    }

    #[DataProvider('worlds')]
    public function testARowThatBreaksARule(string $complaint, mixed $row): void
    {
        self::assertSame([$complaint], TechEmpower::world($row));
    }

    public function testAListOfRows(): void
    {
        self::assertSame(['not a list: {"id":1,"randomNumber":2}'], TechEmpower::worlds(self::answer('{"id":1,"randomNumber":2}'), 1));
        self::assertSame(['1 rows, not 2'], TechEmpower::worlds(self::answer('[{"id":1,"randomNumber":2}]'), 2));
        self::assertSame(['not an object: [3]'], TechEmpower::worlds(self::answer('[{"id":1,"randomNumber":2},[3],[4]]'), 3));
    }

    /** What is asked for is brought between 1 and 500, and what is no number is 1. */
    public function testCountsAreClamped(): void
    {
        self::assertSame([500, 500, 1, 1, 1], array_map(static fn (string $asked): int => TechEmpower::COUNTS[$asked], ['500', '501', '0', 'foo', '']));
    }

    /** @return array<string, array{string, string, array<int, int>}> */
    public static function updates(): array
    {
        return [
            'a row twice' => ['a row is there twice', '[{"id":1,"randomNumber":20},{"id":1,"randomNumber":20}]', [1 => 20, 2 => 10]],
            'not written' => ['the table does not hold what was answered', '[{"id":1,"randomNumber":20}]', [1 => 30, 2 => 10]],
            'others written' => ['other rows have changed', '[{"id":1,"randomNumber":20}]', [1 => 20, 2 => 11]],
            'the same numbers' => ['0 of 1 rows have another number', '[{"id":1,"randomNumber":10}]', [1 => 10, 2 => 10]],
        ];
    }

    /** @param array<int, int> $after */
    #[DataProvider('updates')]
    public function testUpdatesThatBreakARule(string $complaint, string $said, array $after): void
    {
        self::assertSame([$complaint], TechEmpower::updates(self::answer($said), [1 => 10, 2 => 10], $after));
    }

    /** @return array<string, array{string, string}> */
    public static function fortunes(): array
    {
        $rows = self::rows();
        $right = self::page($rows);
        $unsorted = $rows;
        array_splice($unsorted, 3, 2, [$rows[4], $rows[3]]);

        return [
            'no document type' => ['it does not begin with <!DOCTYPE html>', str_replace('<!DOCTYPE html>', '', $right)],
            'another title' => ['its title is not Fortunes', str_replace('<title>Fortunes', '<title>Others', $right)],
            'no heads' => ['the table is not headed by id and message', str_replace('<tr><th>id</th><th>message</th></tr>', '', $right)],
            'not escaped' => ['a message is not escaped', str_replace('</table>', '</table><script>alert(1)</script>', $right)],
            'nothing added' => ['the fortune of the request is missing', str_replace(TechEmpower::ADDED, 'Added later.', $right)],
            'characters lost' => ['the messages are not those of the table', str_replace('—', '-', $right)],
            'one is missing' => ['the messages are not those of the table', self::page(array_slice($rows, 1))],
            'out of order' => ['the messages are not in order', self::page($unsorted)],
        ];
    }

    #[DataProvider('fortunes')]
    public function testFortunesThatBreakARule(string $complaint, string $page): void
    {
        self::assertContains($complaint, TechEmpower::fortunes(self::answer($page), Material::fortunes()));
    }

    /** @param array<string, string> $head an empty one is not there */
    private static function answer(string $body = '', array $head = [], int $status = 200): Answer
    {
        return new Answer($status, array_filter($head + self::HEAD, static fn (string $value): bool => $value !== ''), $body);
    }

    /** @return list<string> */
    private static function rows(): array
    {
        $messages = Material::fortunes() + [0 => TechEmpower::ADDED];
        asort($messages, SORT_STRING);

        return array_map(static fn (int $id, string $message): string => "<tr><td>$id</td><td>" . htmlspecialchars($message) . '</td></tr>', array_keys($messages), $messages);
    }

    /** @param list<string> $rows */
    private static function page(array $rows): string
    {
        return '<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table><tr><th>id</th><th>message</th></tr>' . implode('', $rows) . '</table></body></html>';
    }
}
