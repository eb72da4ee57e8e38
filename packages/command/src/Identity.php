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
    /** CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH (capabilities(7)). */
    private const READS_ALL = 1 << 1 | 1 << 2;

    public static function user(): int
    {
        return function_exists('posix_geteuid') ? posix_geteuid() : (int) fileowner('/proc/self/');
    }

    public static function isRoot(): bool
    {
        return self::user() === 0;
    }

    /**
     * Whether it may read, or change, files that its user may not: root's right, or what a server that was started by root has kept
     * to read its certificates, and hands on when it restarts.
     */
    public static function readsAll(): bool
    {
        preg_match('/^CapEff:\s*([0-9a-f]+)/m', (string) @file_get_contents('/proc/self/status'), $match);

        return self::isRoot() || (hexdec(substr($match[1] ?? '0', -8)) & self::READS_ALL) !== 0;
    }

    /**
     * Whether a user of this machine is called that; of numbers, and where it can't be asked, it is taken for granted.
     */
    public static function exists(string $user): bool
    {
        return ctype_digit($user) || !function_exists('posix_getpwnam') || posix_getpwnam($user) !== false;
    }
}
