<?php

declare(strict_types=1);

namespace Weft\Bridge;

use function Weft\Server\unknown_directives;

/**
 * The weft.* directives of the configuration. PHP ignores a misspelt one without a word.
 *
 * @internal
 */
final class Directives
{
    /**
     * @throws UnusableApplication when one is unknown
     */
    public static function check(): void
    {
        $unknown = unknown_directives();
        if ($unknown !== []) {
            throw new UnusableApplication(implode("\n", array_map(self::complaint(...), $unknown)));
        }
    }

    private static function complaint(string $name): string
    {
        $hint = Spelling::hint($name, array_keys((array) ini_get_all('weft', false)));

        return "There is no directive $name." . ($hint === '' ? ' docs/configuration.md lists them.' : $hint);
    }
}
