<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use LogicException;

/** All behaviours: what the files in cases/ return. */
final class Registry
{
    /** @var array<string, Behaviour>|null */
    private static ?array $all = null;

    /**
     * @return array<string, Behaviour> by slug
     */
    public static function all(): array
    {
        if (self::$all !== null) {
            return self::$all;
        }
        self::$all = [];
        foreach (glob(dirname(__DIR__) . '/cases/*.php') ?: [] as $file) {
            foreach (self::read($file) as $behaviour) {
                $behaviour->family = basename($file, '.php');
                if (isset(self::$all[$behaviour->slug()])) {
                    throw new LogicException("Two behaviours are called {$behaviour->slug()}.");
                }
                self::$all[$behaviour->slug()] = $behaviour;
            }
        }

        return self::$all;
    }

    public static function get(string $slug): Behaviour
    {
        return self::all()[$slug] ?? throw new LogicException("There is no behaviour $slug.");
    }

    /**
     * @return iterable<Behaviour>
     */
    private static function read(string $file): iterable
    {
        $found = require $file;
        if (!is_array($found)) {
            throw new LogicException("$file must return a list of behaviours.");
        }
        foreach ($found as $behaviour) {
            yield $behaviour instanceof Behaviour ? $behaviour : throw new LogicException("$file returns something else than behaviours.");
        }
    }
}
