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

    /**
     * Whether a user of this machine is called that; of numbers, and where it can't be asked, it is taken for granted.
     */
    public static function exists(string $user): bool
    {
        return ctype_digit($user) || !function_exists('posix_getpwnam') || posix_getpwnam($user) !== false;
    }
}
