<?php

declare(strict_types=1);

namespace Weft\Bridge;

/**
 * What somebody may have meant who wrote a name that does not exist.
 *
 * @internal
 */
final class Spelling
{
    /** More wrong letters than this are another word, however long it is. */
    private const FAR = 6;
    private const SHOWN = 3;

    /**
     * A sentence that names the nearest, with a blank before it; empty when none is near.
     *
     * @param list<string> $known
     */
    public static function hint(string $name, array $known): string
    {
        $near = self::near($name, $known);

        return $near === [] ? '' : ' Did you mean ' . implode(' or ', $near) . '?';
    }

    /**
     * The nearest first.
     *
     * @param list<string> $known
     * @return list<string>
     */
    private static function near(string $name, array $known): array
    {
        $distances = [];
        foreach ($known as $candidate) {
            // the right word without its room, as in weft.access_log, is nearer than another word
            $distances[$candidate] = str_ends_with($candidate, '_' . substr((string) strrchr(".$name", '.'), 1)) ? 1 : levenshtein($name, $candidate);
        }
        asort($distances);
        // a third of the letters; of three letters one
        $far = min(self::FAR, intdiv(strlen($name) + 2, 3));
        $best = $distances === [] ? $far : min($distances);

        return array_slice(array_keys(array_filter($distances, static fn (int $distance): bool => $distance <= min($best + 1, $far))), 0, self::SHOWN);
    }
}
