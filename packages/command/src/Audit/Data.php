<?php

declare(strict_types=1);

namespace Weft\Command\Audit;

/**
 * Decoded JSON, read without believing its types.
 *
 * @internal
 */
final class Data
{
    /**
     * @param array<mixed> $values
     */
    public function __construct(public readonly array $values)
    {
    }

    public static function decode(string $json): self
    {
        return self::of(json_decode($json, true));
    }

    public static function of(mixed $value): self
    {
        return new self(is_array($value) ? $value : []);
    }

    public function text(string $key): string
    {
        $value = $this->values[$key] ?? null;

        return is_scalar($value) ? (string) $value : '';
    }

    public function int(string $key): int
    {
        $value = $this->values[$key] ?? null;

        return is_int($value) || is_float($value) ? (int) $value : 0;
    }

    public function float(string $key): float
    {
        $value = $this->values[$key] ?? null;

        return is_int($value) || is_float($value) ? (float) $value : 0.0;
    }

    public function bool(string $key): bool
    {
        return ($this->values[$key] ?? null) === true;
    }

    public function at(string $key): self
    {
        return self::of($this->values[$key] ?? null);
    }

    /**
     * @return list<self>
     */
    public function each(string $key): array
    {
        return array_values(array_map(self::of(...), $this->at($key)->values));
    }

    /**
     * @return array<string, string>
     */
    public function texts(string $key): array
    {
        $texts = [];
        foreach ($this->at($key)->values as $name => $value) {
            $texts[(string) $name] = is_scalar($value) ? (string) $value : '';
        }

        return $texts;
    }
}
