<?php

declare(strict_types=1);

namespace Weft\Bench;

final class Stats
{
    /** @param array<float> $values */
    public static function median(array $values): float
    {
        if ($values === []) {
            return 0.0;
        }
        sort($values);
        $middle = intdiv(count($values), 2);

        return count($values) % 2 === 1 ? $values[$middle] : ($values[$middle - 1] + $values[$middle]) / 2;
    }

    /**
     * The distance between the extremes as a part of the median.
     *
     * @param array<float> $values
     */
    public static function spread(array $values): float
    {
        $median = self::median($values);

        return $values === [] || $median === 0.0 ? 0.0 : (max($values) - min($values)) / abs($median);
    }

    /** Three significant digits, as a reader wants them. */
    public static function format(float $value): string
    {
        $size = abs($value);

        return match (true) {
            $size >= 1000 => number_format($value, 0, '.', ' '),
            $size >= 100 => number_format($value, 0, '.', ''),
            $size >= 10 => number_format($value, 1, '.', ''),
            $size >= 1 || $value === 0.0 => number_format($value, 2, '.', ''),
            default => number_format($value, 3, '.', ''),
        };
    }

    public static function times(float $ratio): string
    {
        return sprintf(match (true) {
            $ratio >= 100 => '%.0f',
            $ratio >= 10 => '%.1f',
            $ratio >= 0.1 || $ratio === 0.0 => '%.2f',
            default => '%.3f',
        }, $ratio) . '×';
    }
}
