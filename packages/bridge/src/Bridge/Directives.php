<?php

declare(strict_types=1);

namespace Weft\Bridge;

use function Weft\Server\refused_directives;
use function Weft\Server\unknown_directives;

/**
 * The directives of the configuration. PHP ignores a misspelt one without a word, and takes what is no number for 0.
 *
 * @internal
 */
final class Directives
{
    /** Bytes without which no application boots; PHP itself ends in the middle of a line then. */
    private const LEAST_MEMORY = 8 << 20;

    /**
     * @throws UnusableApplication when one is unknown, or has a value that can't be meant
     */
    public static function check(): void
    {
        $problems = [
            ...array_map(self::complaint(...), unknown_directives()),
            ...array_map(static fn (string $problem): string => "$problem.", refused_directives()),
            ...self::memory(get_cfg_var('memory_limit')),
        ];
        if ($problems !== []) {
            throw new UnusableApplication(implode("\n", $problems));
        }
    }

    private static function complaint(string $name): string
    {
        $hint = Spelling::hint($name, array_keys((array) ini_get_all('weft', false)));

        return "There is no directive $name." . ($hint === '' ? ' docs/configuration.md lists them.' : $hint);
    }

    /**
     * As it is configured: of a limit that is exceeded already PHP keeps nothing, and goes on with its default.
     *
     * @return list<string>
     */
    private static function memory(mixed $limit): array
    {
        if (!is_string($limit) || $limit === '') {
            return [];
        }
        // the engine warns of what it can't read, and takes a part of it
        $bytes = @ini_parse_quantity($limit);

        return $bytes < 0 || $bytes >= self::LEAST_MEMORY ? [] : ["memory_limit must be -1 (none) or at least 8M, \"$limit\" given."];
    }
}
