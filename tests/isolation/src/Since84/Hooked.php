<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Since84;

/** Property hooks and asymmetric visibility: what they keep lies in slots, what they compute does not. */
class Hooked
{
    /** @var list<string> */
    private array $log = [];

    /** Virtual: no slot of its own. */
    public string $virtual {
        get => implode(',', $this->log);
        set (string $value) {
            $this->log[] = $value;
        }
    }

    /** Backed, with both hooks. */
    public string $backed = 'booted' {
        get => "<$this->backed>";
        set => strtoupper($value);
    }

    /** @var array<string, mixed> */
    private array $items = ['booted' => true];

    /** @var array<string, mixed> what is written into it goes through the reference */
    public array $byReference {
        &get => $this->items;
    }

    public private(set) int $count = 0;

    public protected(set) string $name = 'booted';

    public function rename(string $name): void
    {
        $this->name = $name;
        $this->count++;
    }
}
