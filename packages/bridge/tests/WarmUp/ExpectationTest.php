<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\WarmUp;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bridge\DryRun\Outcome;
use Weft\Bridge\WarmUp\Expectation;

final class ExpectationTest extends TestCase
{
    /** @return array<string, array{string, string, string, bool}> */
    public static function bodies(): array
    {
        return [
            'all the same' => ['{"id":7}', '{"id":7}', '{"id":7}', true],
            'another answer to a page that is always the same' => ['{"id":7}', '{"id":7}', '{"id":8}', false],
            'a number that counts on' => ['{"id":9,"who":"ann"}', '{"id":10,"who":"ann"}', '{"id":11,"who":"ann"}', true],
            'and something else that differs' => ['{"id":9,"who":"ann"}', '{"id":10,"who":"ann"}', '{"id":11,"who":"bob"}', false],
            'a word that differs cold' => ['key: x9', 'key: x10', 'key: x11', false],
            'a sign that differs' => ['id: 9;', 'id: 10;', 'id: 11,', false],
            'a word more' => ['id: 9', 'id: 10', 'id: 11 more', false],
            'pages that differ in length' => ['id: 9', 'id: 10 more', 'id: 11 more', false],
            'bytes that are no text' => ["\xff\x00 1", "\xff\x00 2", "\xff\x00 3", true],
        ];
    }

    #[DataProvider('bodies')]
    public function testOnlyWhatDiffersColdMayDifferWarm(string $once, string $again, string $warm, bool $allowed): void
    {
        $expected = new Expectation(self::answer($once), self::answer($again));

        self::assertSame($allowed, $expected->allowsBody($warm));
        self::assertSame($allowed, $expected->isMetBy(self::answer($warm)));
    }

    public function testHeadersAreComparedLikeBodies(): void
    {
        $expected = new Expectation(self::answer('', ['X-Row: 9', 'Vary: Cookie']), self::answer('', ['X-Row: 10', 'Vary: Cookie']));

        self::assertSame([], $expected->differentHeaders(self::answer('', ['X-Row: 11', 'Vary: Cookie'])));
        self::assertSame(['Vary: Accept'], $expected->differentHeaders(self::answer('', ['X-Row: 11', 'Vary: Accept'])));
        self::assertSame(['one is missing'], $expected->differentHeaders(self::answer('', ['Vary: Cookie'])));
        self::assertFalse($expected->isMetBy(self::answer('', ['Vary: Cookie'])));
    }

    public function testAnotherStatusIsAnotherAnswer(): void
    {
        $expected = new Expectation(self::answer('same'), self::answer('same'));

        self::assertFalse($expected->isMetBy(new Outcome(500, '', 4, 'same')));
    }

    /** @param list<string> $headers */
    private static function answer(string $body, array $headers = []): Outcome
    {
        return new Outcome(200, '', strlen($body), $body, $headers);
    }
}
