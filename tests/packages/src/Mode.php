<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use InvalidArgumentException;

/** A way of serving the application, under which nothing may differ from plain PHP. */
final class Mode
{
    /**
     * @param list<string> $options of `weft serve`
     */
    private function __construct(public readonly string $name, public readonly array $options, public readonly bool $warm = true, public readonly bool $tools = false)
    {
    }

    /**
     * @param list<string> $pages to warm
     */
    public static function named(string $name, array $pages, int $seed): self
    {
        $all = [
            'warm' => new self('warm', []),
            'warm-pages' => new self('warm-pages', ['--warm=' . implode(',', $pages)]),
            'cold' => new self('cold', ['--warm=off'], false),
            'stress' => new self('stress', ['-d', 'weft.stress=97', '-d', "weft.stress_seed=$seed"]),
            'pool' => new self('pool', ['-d', 'weft.pdo_pool_max=3']),
            // what watches all the others isn't the same for two rehearsals
            'tools' => new self('tools', ['--warm=off'], false, true),
            'off' => new self('off', ['--isolation=off'], false),
        ];

        return $all[$name] ?? throw new InvalidArgumentException("No mode is called $name. There are: " . implode(', ', array_keys($all)) . '.');
    }
}
