<?php

declare(strict_types=1);

// By how much a sleep of 0.2 ms is too long: usleep() in a coroutine against plain usleep(). The median of many.

use Weft\Bench\Pair;

const MICROSECONDS = 200;
const SLEEPS = 2_000;

function overshoot(): float
{
    $over = [];
    for ($i = 0; $i < SLEEPS; $i++) {
        $start = hrtime(true);
        usleep(MICROSECONDS);
        $over[] = (hrtime(true) - $start) / 1000 - MICROSECONDS;
    }
    sort($over);

    return $over[intdiv(SLEEPS, 2)];
}

return [new Pair('0.2 ms sleep, overshoot, against usleep', 'microseconds', static fn (): float => Pair::inCoroutine(overshoot(...)), overshoot(...))];
