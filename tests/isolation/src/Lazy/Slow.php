<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

use ArrayAccess;
use Countable;
use Generator;
use IteratorAggregate;
use JsonSerializable;
use Stringable;
use Weft\IsolationTests\Window;

/**
 * Waits whenever PHP calls one of its methods.
 *
 * @implements ArrayAccess<string, string>
 * @implements IteratorAggregate<int, string>
 */
final class Slow implements ArrayAccess, Countable, IteratorAggregate, JsonSerializable, Stringable
{
    public static ?Window $windowWhileWaking = null;

    public function __construct(public string $name, private ?Window $window)
    {
    }

    public function __toString(): string
    {
        $this->window?->open();

        return $this->name;
    }

    /**
     * @return array<string, string>
     */
    public function __serialize(): array
    {
        $this->window?->open();

        return ['name' => $this->name, 'inner' => serialize([$this->name, [$this->name]])];
    }

    /**
     * @param array<string, string> $data
     */
    public function __unserialize(array $data): void
    {
        self::$windowWhileWaking?->open();
        $inner = unserialize($data['inner']);
        $this->name = is_array($inner) && is_string($inner[0]) ? $inner[0] : '';
        $this->window = null;
        self::$windowWhileWaking?->open();
    }

    public function jsonSerialize(): mixed
    {
        $this->window?->open();

        return [$this->name, json_encode(['inner' => $this->name])];
    }

    public function __get(string $name): string
    {
        $this->window?->open();

        return "$this->name has no $name";
    }

    public function __set(string $name, string $value): void
    {
        $this->window?->open();
        $this->name .= " $name=$value";
    }

    public function __clone(): void
    {
        $this->window?->open();
    }

    public function __invoke(string $with): string
    {
        $this->window?->open();

        return "$this->name $with";
    }

    /**
     * @param array<mixed> $arguments
     */
    public function __call(string $name, array $arguments): string
    {
        $this->window?->open();

        return "$this->name $name " . json_encode($arguments);
    }

    /**
     * @param array<mixed> $arguments
     */
    public static function __callStatic(string $name, array $arguments): string
    {
        return "static $name " . json_encode($arguments);
    }

    public function count(): int
    {
        $this->window?->open();

        return strlen($this->name);
    }

    public function getIterator(): Generator
    {
        for ($i = 0; $i < 3; $i++) {
            $this->window?->open();
            yield "$this->name $i";
        }
    }

    public function offsetExists(mixed $offset): bool
    {
        $this->window?->open();

        return true;
    }

    public function offsetGet(mixed $offset): string
    {
        $this->window?->open();

        return "$this->name at $offset";
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        $this->window?->open();
    }

    public function offsetUnset(mixed $offset): void
    {
        $this->window?->open();
    }
}
