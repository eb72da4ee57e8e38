<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

use Closure;

final class HolderOfStatics extends Holder
{
    use HasStatics;

    public static string $own = 'boot';

    private static string $hidden = 'boot';

    public static function next(): int
    {
        /** @var int $n */
        static $n = 0;

        return ++$n;
    }

    public static function closure(): Closure
    {
        return static function (): int {
            /** @var int $n */
            static $n = 10;

            return ++$n;
        };
    }

    public static function hidden(): string
    {
        return self::$hidden;
    }
}
