<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Reads what other programs printed as JSON, without believing its types. */
final class Value
{
    /** @return array<mixed> */
    public static function decode(string $json): array
    {
        $value = json_decode($json, true);

        return is_array($value) ? $value : throw new Failure('Not the JSON that was expected: ' . self::excerpt($json));
    }

    /** @param array<mixed> $values */
    public static function number(array $values, string ...$path): float
    {
        $value = $values;
        foreach ($path as $key) {
            $value = is_array($value) ? ($value[$key] ?? null) : null;
        }

        return is_int($value) || is_float($value) ? (float) $value : 0.0;
    }

    /** @param array<mixed> $values */
    public static function text(array $values, string $key): string
    {
        $value = $values[$key] ?? '';

        return is_scalar($value) ? (string) $value : '';
    }

    public static function excerpt(string $text): string
    {
        $line = trim((string) preg_replace('/\s+/', ' ', $text));

        return strlen($line) > 300 ? substr($line, 0, 300) . ' …' : ($line === '' ? '(nothing)' : $line);
    }
}
