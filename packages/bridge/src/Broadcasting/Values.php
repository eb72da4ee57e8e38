<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

use ArrayObject;
use Weft\Bridge\Spelling;

/**
 * A part of an application's configuration, read with care: what is of no use counts as missing, and is noted.
 *
 * @internal
 */
final class Values
{
    /** @var ArrayObject<int, string> of all parts */
    private readonly ArrayObject $problems;

    /**
     * @param string $name of this part, for people
     * @param ?ArrayObject<int, string> $problems
     */
    public function __construct(private readonly mixed $values, public readonly string $name, ?ArrayObject $problems = null)
    {
        $this->problems = $problems ?? new ArrayObject();
    }

    /**
     * @param string $path names with dots between
     */
    public function at(string $path): self
    {
        $values = $this->values;
        foreach (explode('.', $path) as $name) {
            $values = is_array($values) ? $values[$name] ?? null : null;
        }

        return new self($values, "$this->name.$path", $this->problems);
    }

    /**
     * @return array<array-key, self>
     */
    public function each(): array
    {
        $parts = [];
        foreach (is_array($this->values) ? $this->values : [] as $name => $value) {
            $parts[$name] = new self($value, "$this->name.$name", $this->problems);
        }

        return $parts;
    }

    public function exists(): bool
    {
        return is_array($this->values);
    }

    /**
     * Notes names that are none of these, but nearly. Others are somebody else's.
     *
     * @param list<string> $known
     */
    public function misspelt(array $known): void
    {
        foreach (array_diff(array_keys((array) $this->values), $known) as $name) {
            $hint = Spelling::hint((string) $name, $known);
            if ($hint !== '') {
                $this->note("$this->name.$name is no setting (" . lcfirst(trim($hint)) . ')');
            }
        }
    }

    public function text(string $name): ?string
    {
        $value = $this->value($name);

        return is_string($value) || is_int($value) ? (string) $value : null;
    }

    public function number(string $name, int $least): ?int
    {
        $value = $this->value($name);
        if ($value === null) {
            return null;
        }
        $number = filter_var($value, FILTER_VALIDATE_INT, ['options' => ['min_range' => $least]]);
        if ($number === false) {
            $this->note("$this->name.$name must be a number of at least $least");
            return null;
        }

        return $number;
    }

    public function flag(string $name): bool
    {
        $flag = filter_var($this->value($name) ?? false, FILTER_VALIDATE_BOOL, FILTER_NULL_ON_FAILURE);
        if ($flag === null) {
            $this->note("$this->name.$name must be true or false");
        }

        return $flag ?? false;
    }

    /**
     * @return ?list<string>
     */
    public function texts(string $name): ?array
    {
        $value = $this->value($name);
        if ($value === null) {
            return null;
        }
        if (!is_array($value) || array_filter($value, is_string(...)) !== $value) {
            $this->note("$this->name.$name must be a list of texts, and nobody is let in until it is");
            return [];
        }

        return array_values(array_filter($value, is_string(...)));
    }

    public function note(string $problem): void
    {
        $this->problems->append($problem);
    }

    /**
     * @return list<string>
     */
    public function problems(): array
    {
        return array_values($this->problems->getArrayCopy());
    }

    /** Null or an empty text: as if it were not there. */
    private function value(string $name): mixed
    {
        $value = is_array($this->values) ? $this->values[$name] ?? null : null;

        return $value === '' ? null : $value;
    }
}
