<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

/** One value of a decoded JSON file together with its place, so that an error can name it. */
final class Field
{
    private function __construct(private readonly mixed $value, private readonly string $place)
    {
    }

    public static function of(string $file): self
    {
        $json = @file_get_contents($file);
        if ($json === false) {
            throw new Unreadable("$file can't be read. A run keeps its result in raw.json: give that file or its directory.");
        }
        try {
            $value = json_decode($json, true, 64, JSON_THROW_ON_ERROR);
        } catch (\JsonException $e) {
            throw new Unreadable("$file is not JSON ({$e->getMessage()}, " . strlen($json) . ' bytes). It may have been cut off.');
        }
        if (!is_array($value)) {
            throw new Unreadable("$file holds " . get_debug_type($value) . ', not the result of a benchmark run.');
        }

        return new self($value, '');
    }

    public function at(string $key): self
    {
        if (!is_array($this->value)) {
            throw $this->wrong('an object');
        }

        return new self($this->value[$key] ?? null, $this->place === '' ? $key : "$this->place.$key");
    }

    public function missing(): bool
    {
        return $this->value === null;
    }

    public function text(?string $default = null): string
    {
        if ($this->value === null && $default !== null) {
            return $default;
        }

        return match (true) {
            is_string($this->value) => $this->value,
            is_int($this->value), is_float($this->value) => (string) $this->value,
            is_bool($this->value) => $this->value ? 'yes' : 'no',
            default => throw $this->wrong('text'),
        };
    }

    public function number(?float $default = null): float
    {
        if ($this->value === null && $default !== null) {
            return $default;
        }
        if ((!is_int($this->value) && !is_float($this->value)) || !is_finite((float) $this->value)) {
            throw $this->wrong('a number');
        }

        return (float) $this->value;
    }

    public function flag(bool $default): bool
    {
        return match (true) {
            $this->value === null => $default,
            is_bool($this->value) => $this->value,
            default => throw $this->wrong('true or false'),
        };
    }

    /** @return list<self> none when it is missing */
    public function items(): array
    {
        if ($this->value !== null && (!is_array($this->value) || !array_is_list($this->value))) {
            throw $this->wrong('a list');
        }
        $items = [];
        foreach ($this->value ?? [] as $number => $item) {
            $items[] = new self($item, "$this->place[$number]");
        }

        return $items;
    }

    /** @return array<string, self> none when it is missing; null values are left out */
    public function members(): array
    {
        if ($this->value !== null && !is_array($this->value)) {
            throw $this->wrong('an object');
        }
        $members = [];
        foreach ($this->value ?? [] as $key => $value) {
            if ($value !== null) {
                $members[(string) $key] = new self($value, "$this->place.$key");
            }
        }

        return $members;
    }

    /** @return list<float> */
    public function numbers(): array
    {
        return array_map(static fn (self $item): float => $item->number(), $this->items());
    }

    /** @return array<string, string> a list inside becomes text too */
    public function texts(): array
    {
        return array_map(
            static fn (self $member): string => is_array($member->value)
                ? implode(', ', array_map(static fn (self $item): string => $item->text(''), array_values($member->members())))
                : $member->text(),
            $this->members(),
        );
    }

    public function wrong(string $expected): Unreadable
    {
        $found = $this->value === null ? 'missing' : 'of type ' . get_debug_type($this->value);

        return new Unreadable(($this->place === '' ? 'The top level' : $this->place) . " is $found; expected was $expected.");
    }
}
