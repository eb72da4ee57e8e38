<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * Who this process is.
 *
 * @internal
 */
final class Identity
{
    public static function user(): int
    {
        return function_exists('posix_geteuid') ? posix_geteuid() : (int) fileowner('/proc/self/');
    }

    public static function isRoot(): bool
    {
        return self::user() === 0;
    }
}
