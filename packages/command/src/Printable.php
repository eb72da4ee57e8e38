<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * Texts of others, as a terminal may have them: control characters are seen, and steer nothing.
 *
 * @internal
 */
final class Printable
{
    /**
     * Of one line.
     */
    public static function line(string $text): string
    {
        return self::show('/[\x00-\x1f\x7f]|\xc2[\x80-\x9f]/', $text);
    }

    /**
     * Of several.
     */
    public static function lines(string $text): string
    {
        return self::show('/[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/', $text);
    }

    private static function show(string $what, string $text): string
    {
        return (string) preg_replace_callback($what, static fn (array $match): string => '\x' . implode('\x', str_split(bin2hex($match[0]), 2)), $text);
    }
}
