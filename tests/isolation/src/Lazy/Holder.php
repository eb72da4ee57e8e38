<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

use stdClass;

/** A singleton with every kind of property. */
class Holder
{
    public static string $inherited = 'boot';

    /** @var array<int, string> */
    public array $list = [];

    public string $late;

    /** @var array<string, array<string, array<mixed>>>|null */
    public ?array $nothing = null;

    public stdClass $bag;

    public int $gone = 1;

    public mixed $alias = null;

    /** @phpstan-ignore property.uninitializedReadonly (that is what is tested) */
    public readonly string $writtenOnce;

    private string $hiddenValue = 'hidden';

    public function __construct()
    {
        $this->bag = (object) ['booted' => true];
    }

    public function once(string $value): string
    {
        // @phpstan-ignore property.readOnlyAssignNotInConstructor (that is what is tested)
        $this->writtenOnce = $value;

        return "$this->writtenOnce ($this->hiddenValue)";
    }
}
