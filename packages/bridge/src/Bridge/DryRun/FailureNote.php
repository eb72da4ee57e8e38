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
    private static string $place = '';

    public static function take(Throwable $error): void
    {
        self::$text = $error::class . ($error->getMessage() === '' ? '' : ': ' . $error->getMessage());
        self::$place = $error->getFile() . ':' . $error->getLine();
    }

    public static function forget(): void
    {
        self::$text = self::$place = '';
    }

    /**
     * Empty: it has not failed.
     */
    public static function text(): string
    {
        return self::$text;
    }

    /**
     * The file and line in which it was thrown.
     */
    public static function place(): string
    {
        return self::$place;
    }
}
