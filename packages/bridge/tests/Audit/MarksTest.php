<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Audit;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bridge\Audit\Marks;

final class MarksTest extends TestCase
{
    /**
     * @return iterable<string, array{int, list<int>}> requests, and after which of them is counted
     */
    public static function rows(): iterable
    {
        yield 'the fewest' => [20, [5, 12, 20]];
        yield 'many' => [500, [125, 312, 500]];
    }

    /**
     * @param list<int> $marks
     */
    #[DataProvider('rows')]
    public function testWithTimeEnoughTheRequestsDecide(int $requests, array $marks): void
    {
        $row = new Marks($requests, 3600.0);
        $reached = [];
        for ($number = 1; !$row->areComplete(); $number++) {
            if ($row->isReachedBy($number)) {
                $reached[] = $number;
            }
            self::assertFalse($row->areTooClose());
        }

        self::assertSame($marks, $reached);
        self::assertSame([$marks[1] - $marks[0], $marks[2] - $marks[1]], $row->stretches());
    }

    public function testWithoutTimeTheFirstRequestIsEnoughToKnowThatNothingWillBeKnown(): void
    {
        $row = new Marks(500, 0.0);

        self::assertFalse($row->areTooClose());
        self::assertTrue($row->isReachedBy(1));
        self::assertTrue($row->areTooClose());
    }

    public function testAStretchNeedsRequestsToo(): void
    {
        $row = new Marks(20, 3600.0);
        foreach (range(1, 5) as $number) {
            $row->isReachedBy($number);
        }
        self::assertFalse($row->areTooClose());
        self::assertTrue($row->isReachedBy(20));
        self::assertFalse($row->areTooClose());
        self::assertTrue($row->isReachedBy(21));
        self::assertTrue($row->areTooClose());
    }
}
