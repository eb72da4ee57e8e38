<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

final class Counter
{
    public int $calls = 0;

    public function __construct(public readonly int $start = -1)
    {
    }

    public function remembered(): int
    {
        return once(fn (): int => ++$this->calls);
    }
}
