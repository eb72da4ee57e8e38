<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * A time as people write it: 30, 30s, 250ms, 5m, 1h.
 *
 * @internal
 */
final class Duration
{
    private const SECONDS = ['ms' => 0.001, 's' => 1, 'm' => 60, 'h' => 3600];

    /**
     * @param float $most seconds
     * @param float $least seconds, of what is not 0
     * @throws UsageError
     */
    public static function seconds(string $option, string $value, float $most, float $least = 0.001, string $or = ''): float
    {
        $seconds = preg_match('/^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)?\z/', $value, $match) === 1
            ? round((float) $match[1] * self::SECONDS[$match[2] ?? 's'], 6) : -1.0;
        if ($seconds < 0 || $seconds > $most || ($seconds > 0 && $seconds < $least)) {
            throw new UsageError("--$option must be {$or}a time from 0 to $most seconds, as 30, 30s, 250ms, 5m or 1h, not \"$value\".");
        }

        return $seconds;
    }
}
