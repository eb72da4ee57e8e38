<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

enum Mood: string
{
    case Calm = 'calm';
    case Loud = 'loud';

    public static function remember(string $who): void
    {
        self::latest($who);
    }

    public static function remembered(): string
    {
        return self::latest(null);
    }

    private static function latest(?string $who): string
    {
        /** @var string $latest */
        static $latest = 'nobody';

        return $latest = $who ?? $latest;
    }
}
