<?php

declare(strict_types=1);

namespace Weft\Bridge\DryRun;

/**
 * A value in a few words.
 *
 * @internal
 */
final class Excerpt
{
    private const LONGEST_TEXT = 40;
    private const MOST_ELEMENTS = 3;

    public static function of(mixed $value, int $depth = 2): string
    {
        return match (true) {
            is_string($value) => self::text($value),
            is_array($value) => self::elements($value, $depth),
            is_object($value) => $value::class,
            is_resource($value) => 'resource',
            default => strtolower(var_export($value, true)),
        };
    }

    private static function text(string $text): string
    {
        return strlen($text) > self::LONGEST_TEXT ? sprintf('"%s…" (%d bytes)', substr($text, 0, self::LONGEST_TEXT), strlen($text)) : "\"$text\"";
    }

    /**
     * @param array<mixed> $elements
     */
    private static function elements(array $elements, int $depth): string
    {
        if ($depth === 0) {
            return sprintf('array(%d)', count($elements));
        }
        $parts = [];
        foreach (array_slice($elements, 0, self::MOST_ELEMENTS, true) as $key => $element) {
            $parts[] = (is_string($key) ? self::text($key) . ' => ' : '') . self::of($element, $depth - 1);
        }
        if (count($elements) > self::MOST_ELEMENTS) {
            $parts[] = sprintf('… %d more', count($elements) - self::MOST_ELEMENTS);
        }

        return '[' . implode(', ', $parts) . ']';
    }
}
