<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bench\Noise;

final class NoiseTest extends TestCase
{
    /**
     * @param list<float> $one
     * @param list<float> $other
     */
    #[DataProvider('series')]
    public function testTellsDifferencesFromNoise(array $one, array $other, ?bool $expected): void
    {
        self::assertSame($expected, Noise::exceeded($one, $other));
        self::assertSame($expected, Noise::exceeded($other, $one));
    }

    /** @return iterable<string, array{list<float>, list<float>, bool|null}> */
    public static function series(): iterable
    {
        yield 'far apart' => [[100.0, 101.0, 102.0], [120.0, 121.0, 122.0], true];
        yield 'overlapping' => [[100.0, 110.0, 120.0], [119.0, 130.0, 140.0], false];
        yield 'disjoint, but nearer than the rounds of one side' => [[100.0, 105.0, 110.0], [111.0, 112.0, 130.0], false];
        yield 'steady, but nearly the same' => [[100.0, 100.0, 100.0], [101.0, 101.0, 101.0], false];
        yield 'the same' => [[5.0, 5.0], [5.0, 5.0], false];
        yield 'zero and zero' => [[0.0, 0.0], [0.0, 0.0], false];
        yield 'one round' => [[100.0], [200.0, 201.0], null];
        yield 'ranks: one outlier does not hide a shift' => [
            [100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 150.0],
            [109.0, 110.0, 111.0, 112.0, 113.0, 114.0, 115.0, 116.0, 117.0],
            true,
        ];
        yield 'ranks: mixed' => [[100.0, 110.0, 120.0, 130.0, 140.0], [105.0, 115.0, 125.0, 135.0, 145.0], false];
    }

    /** What the rule says of itself. */
    public function testSeldomTakesChanceForAChange(): void
    {
        mt_srand(7);
        foreach ([3 => 0.05, 4 => 0.01, 5 => 0.01] as $rounds => $most) {
            $flagged = 0;
            for ($i = 0; $i < 5000; $i++) {
                $flagged += (int) Noise::exceeded(self::noisy($rounds), self::noisy($rounds));
            }
            self::assertLessThanOrEqual($most, round($flagged / 5000, 2), "$rounds rounds");
        }
    }

    /** @return list<float> */
    private static function noisy(int $rounds): array
    {
        // Twelve uniform values make a normal one.
        return array_map(static fn (): float => 100 + array_sum(array_map(static fn (): int => mt_rand(-500, 500), range(1, 12))) / 100, range(1, $rounds));
    }

    /** Against tables of the exact distribution of Mann and Whitney's U. */
    public function testRankTestIsExact(): void
    {
        self::assertEqualsWithDelta(2 / 20, Noise::rankTest([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]), 1e-12);
        self::assertEqualsWithDelta(2 / 252, Noise::rankTest([1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]), 1e-12);
        self::assertEqualsWithDelta(4 / 20, Noise::rankTest([1.0, 2.0, 4.0], [3.0, 5.0, 6.0]), 1e-12);
        self::assertSame(1.0, Noise::rankTest([1.0, 1.0], [1.0, 1.0]));
    }
}
