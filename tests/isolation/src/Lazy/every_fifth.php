<?php

declare(strict_types=1);

declare(ticks=5);

namespace Weft\IsolationTests\Lazy;

use Closure;

/**
 * @param Closure(): mixed $wait called between the statements that are counted
 */
function every_fifth(int &$step, Closure $wait): void
{
    for ($step = 0; $step < 14; $step++) {
        $wait();
    }
}
