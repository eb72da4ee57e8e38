<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

use Serializable;
use Weft\IsolationTests\Window;

/**
 * Serialises itself as before PHP 7.4: what is serialised within counts on from what was before. PHP complains when it
 * compiles this, so it is included with that silenced.
 */
final class OldFashioned implements Serializable
{
    public static ?Window $window = null;

    /**
     * @param list<object> $objects
     */
    public function __construct(public array $objects)
    {
    }

    public function serialize(): string
    {
        self::$window?->open();
        $text = serialize($this->objects);
        self::$window?->open();

        return $text;
    }

    public function unserialize(string $data): void
    {
        self::$window?->open();
        $objects = unserialize($data);
        $this->objects = is_array($objects) ? array_values(array_filter($objects, is_object(...))) : [];
        self::$window?->open();
    }
}
