<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use LogicException;

/** All behaviours: what the files in cases/ return, and those in cases/since-8.4/ and its kin on that PHP and later. */
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
        foreach (self::files() as $file) {
            foreach (self::read($file) as $behaviour) {
                $behaviour->family = basename($file, '.php') . (self::since($file) === '' ? '' : ' since ' . self::since($file));
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
     * @return list<string>
     */
    private static function files(): array
    {
        $cases = dirname(__DIR__) . '/cases';
        $later = array_filter(
            glob("$cases/since-*/*.php") ?: [],
            static fn (string $file): bool => version_compare(PHP_VERSION, self::since($file), '>='),
        );

        return [...glob("$cases/*.php") ?: [], ...array_values($later)];
    }

    /** The version of PHP that the file needs; '': any. */
    private static function since(string $file): string
    {
        $folder = basename(dirname($file));

        return str_starts_with($folder, 'since-') ? substr($folder, strlen('since-')) : '';
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
