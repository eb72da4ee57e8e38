<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\DryRun;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bridge\DryRun\Outcome;

final class OutcomeTest extends TestCase
{
    /**
     * @return iterable<string, array{string, string, string}>
     */
    public static function details(): iterable
    {
        yield 'nothing' => ['', '', ''];
        yield 'where it leads to' => ['/login', '', ' (/login)'];
        yield 'what was thrown' => ['Error: no', '/app/a.php:7', ' (Error: no in /app/a.php:7)'];
        yield 'lines, and what a terminal would obey' => ["Error: one\n\ntwo \e[31mthree", '/a.php:7', ' (Error: one two  [31mthree in /a.php:7)'];
        yield 'as long as it may be' => [str_repeat('é', 300), '', ' (' . str_repeat('é', 300) . ')'];
        yield 'too long' => [str_repeat('é', 301), '/a.php:7', ' (' . str_repeat('é', 300) . '… in /a.php:7)'];
        yield 'no UTF-8' => ["\xff", '', " (\xff)"];
    }

    #[DataProvider('details')]
    public function testTheReasonFitsIntoALine(string $detail, string $place, string $because): void
    {
        self::assertSame($because, (new Outcome(500, $detail, 0, place: $place))->because());
    }
}
