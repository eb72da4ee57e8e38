<?php

declare(strict_types=1);

namespace Weft\Bridge\DryRun;

use Throwable;

/**
 * Why the request that runs has failed, for whoever has made it up: its own words go to a log that nobody reads then.
 * As with all that is static, each request has its own.
 *
 * @internal
 */
final class FailureNote
{
    private static string $text = '';

    public static function take(Throwable $error): void
    {
        self::$text = $error::class . ($error->getMessage() === '' ? '' : ': ' . $error->getMessage());
    }

    /**
     * What was noted since it was last asked for; empty: nothing.
     */
    public static function text(): string
    {
        [$text, self::$text] = [self::$text, ''];

        return $text;
    }
}
