<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Whether two series of rounds differ by more than the rounds of one do among themselves. */
final class Noise
{
    public const RULE = 'A difference counts as more than noise when the medians are at least 3 % apart and either, with fewer '
        . 'than 5 rounds on one side, further apart than the rounds of either side lie among themselves (no round of one side '
        . 'falls between those of the other), or, with 5 rounds or more on both, a rank test (Mann-Whitney, two-sided, exact) '
        . 'gives p of at most 1 %. One round on a side: not judged. Of figures that did not change, chance alone flags up to '
        . '5 in 100 with 3 rounds a side, and 1 in 100 with 4 or more.';

    private const LEAST = 0.03;
    private const ROUNDS_FOR_RANKS = 5;
    private const SIGNIFICANCE = 0.01;

    /**
     * @param list<float> $one
     * @param list<float> $other
     *
     * @return bool|null null: it can't be told
     */
    public static function exceeded(array $one, array $other): ?bool
    {
        if (count($one) < 2 || count($other) < 2) {
            return null;
        }
        $left = Stats::median($one);
        $right = Stats::median($other);
        $distance = abs($left - $right);
        if ($distance === 0.0 || $distance < self::LEAST * max(abs($left), abs($right))) {
            return false;
        }
        if (min(count($one), count($other)) >= self::ROUNDS_FOR_RANKS) {
            return self::rankTest($one, $other) <= self::SIGNIFICANCE;
        }
        $disjoint = max($one) < min($other) || max($other) < min($one);

        return $disjoint && $distance > max(max($one) - min($one), max($other) - min($other));
    }

    /**
     * The probability of ranks as uneven as these or more when both series are alike.
     *
     * @param list<float> $one
     * @param list<float> $other
     */
    public static function rankTest(array $one, array $other): float
    {
        $wins = 0.0;
        foreach ($one as $a) {
            foreach ($other as $b) {
                $wins += $a > $b ? 1.0 : ($a === $b ? 0.5 : 0.0);
            }
        }
        // Ties are halved and rounded towards "alike".
        $extreme = (int) ceil(min($wins, count($one) * count($other) - $wins));
        $ways = self::arrangements(count($one), count($other));
        $tail = array_sum(array_slice($ways, 0, $extreme + 1));

        return min(1.0, 2.0 * $tail / array_sum($ways));
    }

    /**
     * How many orders of $n and $m values have 0, 1, 2 … pairs in which the first series wins.
     *
     * @return list<float>
     */
    private static function arrangements(int $n, int $m): array
    {
        // The Gaussian binomial: multiply by (1 - q^(m+i)), divide by (1 - q^i), for each i up to n.
        $ways = array_fill(0, $n * $m + 1, 0.0);
        $ways[0] = 1.0;
        for ($i = 1; $i <= $n; $i++) {
            for ($u = $n * $m; $u >= $m + $i; $u--) {
                $ways[$u] -= $ways[$u - $m - $i];
            }
            for ($u = $i; $u <= $n * $m; $u++) {
                $ways[$u] += $ways[$u - $i];
            }
        }

        return array_values($ways);
    }
}
