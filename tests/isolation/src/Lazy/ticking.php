<?php

declare(strict_types=1);

declare(ticks=1);

namespace Weft\IsolationTests\Lazy;

function ticking(): int
{
    $sum = 0;
    for ($i = 0; $i < 5; $i++) {
        $sum += $i;
    }

    return $sum;
}
