<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Sweep;

use Closure;
use Throwable;

/** A value as text that two runs can compare: without addresses and numbers that PHP gives objects and resources. */
final class Text
{
    private const DEPTH = 5;
    private const LENGTH = 400;

    public static function of(mixed $value): string
    {
        $text = self::part($value, self::DEPTH);
        $text = (string) preg_replace(['/0x[0-9a-f]{6,}/', '/(#|Resource id #|object\(|Wand-)\d+/'], ['ADDRESS', '$1N'], $text);

        return strlen($text) > self::LENGTH ? substr($text, 0, self::LENGTH) . '… ' . md5($text) : $text;
    }

    private static function part(mixed $value, int $depth): string
    {
        return match (true) {
            is_string($value) => '"' . (preg_match('/[^\x20-\x7e\s]/', $value) === 1 ? 'hex ' . bin2hex($value) : $value) . '"',
            is_scalar($value), $value === null => var_export($value, true),
            is_array($value) => self::list($value, $depth),
            $value instanceof Throwable => $value::class . ': ' . $value->getMessage(),
            $value instanceof SlowText, $value instanceof Closure => $value::class,
            is_object($value) => $value::class . ' ' . self::list(self::properties($value), $depth),
            default => get_debug_type($value),
        };
    }

    /**
     * @return array<int|string, mixed>
     */
    private static function properties(object $value): array
    {
        try {
            return get_object_vars($value);
        } catch (Throwable $problem) {
            return [$problem->getMessage()];
        }
    }

    /**
     * @param array<int|string, mixed> $values
     */
    private static function list(array $values, int $depth): string
    {
        if ($depth === 0) {
            return '[…]';
        }
        $parts = [];
        foreach (array_slice($values, 0, 50, true) as $key => $value) {
            $parts[] = "$key: " . self::part($value, $depth - 1);
        }

        return '[' . implode(', ', $parts) . ']';
    }
}
