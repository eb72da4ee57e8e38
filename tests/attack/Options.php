<?php

declare(strict_types=1);

namespace Weft\Attack;

/**
 * What the command line says.
 */
final class Options
{
    /**
     * @param array<string, string> $defaults
     * @return array<string, string>
     */
    public static function read(array $defaults): array
    {
        foreach (getopt('', array_map(static fn (string $name): string => "$name:", array_keys($defaults))) ?: [] as $name => $value) {
            $defaults[$name] = is_string($value) ? $value : '';
        }

        return $defaults;
    }
}
