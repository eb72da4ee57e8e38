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
    /** More wrong letters than this are another word. */
    private const FAR = 6;
    private const SHOWN = 3;

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
        $near = self::near($name, array_keys((array) ini_get_all('weft', false)));

        return "There is no directive $name. " . ($near === [] ? 'docs/configuration.md lists them.' : 'Did you mean ' . implode(' or ', $near) . '?');
    }

    /**
     * The nearest first.
     *
     * @param list<string> $known
     * @return list<string>
     */
    public static function near(string $name, array $known): array
    {
        $distances = [];
        foreach ($known as $candidate) {
            // the right word without its room, as in weft.access_log, is nearer than another word
            $distances[$candidate] = str_ends_with($candidate, '_' . substr($name, strlen('weft.'))) ? 1 : levenshtein($name, $candidate);
        }
        asort($distances);
        $best = $distances === [] ? self::FAR : min($distances);

        return array_slice(array_keys(array_filter($distances, static fn (int $distance): bool => $distance <= min($best + 1, self::FAR))), 0, self::SHOWN);
    }
}
