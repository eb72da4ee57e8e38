<?php

declare(strict_types=1);

// By how much a sleep of 0.2 ms is too long: usleep() in a coroutine against plain usleep(). The median of many.

use Weft\Bench\Pair;

require __DIR__ . '/../autoload.php';

const MICROSECONDS = 200;
const TIMES = 2_000;

function overshoot(): float
{
    $over = [];
    for ($i = 0; $i < TIMES; $i++) {
        $start = hrtime(true);
        usleep(MICROSECONDS);
        $over[] = (hrtime(true) - $start) / 1000 - MICROSECONDS;
    }
    sort($over);

    return $over[intdiv(TIMES, 2)];
}

function overshoot_in_coroutine(): float
{
    $result = 0.0;
    Async\await(Async\spawn(static function () use (&$result): void {
        $result = overshoot();
    }));

    return $result;
}

Pair::main(new Pair('0.2 ms sleep, overshoot, against usleep', 'µs', overshoot_in_coroutine(...), overshoot(...), null));
