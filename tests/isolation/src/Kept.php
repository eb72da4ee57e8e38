<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use LogicException;

/** Objects that were made while the application booted, as its singletons are. */
final class Kept
{
    /** @var array<string, mixed> */
    private static array $things = [];

    public static function keep(string $name, mixed $thing): void
    {
        self::$things[$name] = $thing;
    }

    /**
     * @template T of object
     * @param class-string<T> $class
     * @return T
     */
    public static function get(string $name, string $class): object
    {
        $thing = self::$things[$name] ?? null;

        return $thing instanceof $class ? $thing : throw new LogicException("No $class is kept as $name.");
    }
}
