<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A straight line through samples by least squares, and how sure its slope is. */
final class Trend
{
    private function __construct(
        public readonly float $slope,
        /** half the width of the interval that holds the slope with 95 % */
        public readonly float $margin,
    ) {
    }

    /**
     * @param non-empty-list<array{float, float}> $samples x and y
     */
    public static function of(array $samples): self
    {
        $n = count($samples);
        $meanX = array_sum(array_column($samples, 0)) / $n;
        $meanY = array_sum(array_column($samples, 1)) / $n;
        $xx = $xy = 0.0;
        foreach ($samples as [$x, $y]) {
            $xx += ($x - $meanX) ** 2;
            $xy += ($x - $meanX) * ($y - $meanY);
        }
        $slope = $xx > 0.0 ? $xy / $xx : 0.0;
        $rest = [];
        foreach ($samples as [$x, $y]) {
            $rest[] = $y - $meanY - $slope * ($x - $meanX);
        }
        $variance = array_sum(array_map(static fn (float $r): float => $r * $r, $rest)) / max(1, $n - 2);

        return new self($slope, 2.0 * sqrt($variance / max(1.0, $xx) * self::inflation($rest)));
    }

    public function isFlat(): bool
    {
        return $this->slope - $this->margin <= 0.0;
    }

    /**
     * Neighbouring samples of memory resemble each other, so they say less than independent ones would: by this
     * factor, from the correlation of each with the next.
     *
     * @param list<float> $rest
     */
    private static function inflation(array $rest): float
    {
        $all = $next = 0.0;
        foreach ($rest as $i => $value) {
            $all += $value * $value;
            $next += isset($rest[$i + 1]) ? $value * $rest[$i + 1] : 0.0;
        }
        $correlation = $all > 0.0 ? min(0.95, max(0.0, $next / $all)) : 0.0;

        return (1 + $correlation) / (1 - $correlation);
    }
}
