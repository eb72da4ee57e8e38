<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A value of a decoded JSON text together with its place, so that whoever finds it wrong can name it. */
final class Json
{
    private function __construct(private readonly mixed $value, private readonly string $place = '')
    {
    }

    /** What another program printed. */
    public static function decode(string $json): self
    {
        $value = json_decode($json, true);

        return is_array($value) ? new self($value) : throw new Failure('Not the JSON that was expected: ' . self::excerpt($json));
    }

    public static function read(string $file): self
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

        return is_array($value) ? new self($value) : throw new Unreadable("$file holds " . get_debug_type($value) . ', not the result of a benchmark run.');
    }

    public static function excerpt(string $text): string
    {
        $line = trim((string) preg_replace('/\s+/', ' ', $text));

        return strlen($line) > 300 ? substr($line, 0, 300) . ' …' : ($line === '' ? '(nothing)' : $line);
    }

    public function at(string $key): self
    {
        if (!is_array($this->value)) {
            throw $this->wrong('an object');
        }

        return new self($this->value[$key] ?? null, ltrim("$this->place.$key", '.'));
    }

    public function missing(): bool
    {
        return $this->value === null;
    }

    public function text(string $key, ?string $otherwise = null): string
    {
        $field = $this->at($key);

        return match (true) {
            is_string($field->value), is_int($field->value), is_float($field->value) => (string) $field->value,
            is_bool($field->value) => $field->value ? 'yes' : 'no',
            $field->value === null && $otherwise !== null => $otherwise,
            default => throw $field->wrong('text'),
        };
    }

    public function optional(string $key): ?string
    {
        return $this->at($key)->missing() ? null : $this->text($key);
    }

    /** A number of that name; 0 when there is none. */
    public function number(string $key): float
    {
        return $this->at($key)->missing() ? 0.0 : $this->at($key)->float();
    }

    public function float(): float
    {
        if ((!is_int($this->value) && !is_float($this->value)) || !is_finite((float) $this->value)) {
            throw $this->wrong('a number');
        }

        return (float) $this->value;
    }

    /** @return list<float> */
    public function numbers(string $key): array
    {
        return array_map(static fn (self $item): float => $item->float(), $this->items($key));
    }

    /** @return list<self> none when it is missing */
    public function items(string $key): array
    {
        $list = $this->at($key);
        if ($list->value !== null && (!is_array($list->value) || !array_is_list($list->value))) {
            throw $list->wrong('a list');
        }
        $items = [];
        foreach ($list->value ?? [] as $number => $item) {
            $items[] = new self($item, "$list->place[$number]");
        }

        return $items;
    }

    /** @return array<string, self> none when it is missing; null values are left out */
    public function members(string $key): array
    {
        $object = $this->at($key);
        if ($object->value !== null && !is_array($object->value)) {
            throw $object->wrong('an object');
        }
        $members = [];
        foreach ($object->value ?? [] as $name => $value) {
            if ($value !== null) {
                $members[(string) $name] = new self($value, "$object->place.$name");
            }
        }

        return $members;
    }

    /** @return array<string, string> */
    public function texts(string $key): array
    {
        $texts = [];
        foreach (array_keys($this->members($key)) as $name) {
            $texts[$name] = $this->at($key)->text((string) $name);
        }

        return $texts;
    }

    public function value(): mixed
    {
        return $this->value;
    }

    public function wrong(string $expected): Unreadable
    {
        $found = $this->value === null ? 'missing' : 'of type ' . get_debug_type($this->value);

        return new Unreadable(($this->place === '' ? 'The top level' : $this->place) . " is $found; expected was $expected.");
    }
}
