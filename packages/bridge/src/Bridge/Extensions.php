<?php

declare(strict_types=1);

namespace Weft\Bridge;

use function Weft\Internal\modules;

/**
 * The extensions whose calls keep others waiting where they wait, for the startup message and the audit.
 *
 * @internal
 */
final class Extensions
{
    /**
     * @return array{neverLeft: list<string>, guarded: list<string>}
     */
    public static function waiting(): array
    {
        return ['neverLeft' => self::of('never left'), 'guarded' => self::of('guarded')];
    }

    /**
     * For people; null: there is none.
     */
    public static function describe(): ?string
    {
        ['neverLeft' => $neverLeft, 'guarded' => $guarded] = self::waiting();
        $parts = [
            ...($neverLeft === [] ? [] : ['extensions that block the worker while they wait: ' . implode(', ', $neverLeft)]),
            ...($guarded === [] ? [] : ['extensions that one request enters at a time: ' . implode(', ', $guarded)]),
        ];

        return $parts === [] ? null : implode('; ', $parts);
    }

    /**
     * @return list<string>
     */
    private static function of(string $kind): array
    {
        $names = array_keys(modules(), $kind, true);
        natcasesort($names);

        return array_values($names);
    }
}
