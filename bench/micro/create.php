<?php

declare(strict_types=1);

// Creating a coroutine and waiting for its end, against creating a Fiber or a coroutine of Swoole's, which run to
// their end at once. The first coroutine maps a stack; the others find it in the pool.

use Swoole\Coroutine;
use Weft\Bench\Pair;

const COROUTINES = 200_000;
const BATCH = 100;
const BATCHES = 2_000;

function one_by_one(): float
{
    $nothing = static function (): void {
    };
    Async\await(Async\spawn($nothing));
    $start = Pair::cpu();
    for ($i = 0; $i < COROUTINES; $i++) {
        Async\await(Async\spawn($nothing));
    }

    return (Pair::cpu() - $start) / COROUTINES;
}

function in_batches(): float
{
    $nothing = static function (): void {
    };
    $round = static function () use ($nothing): void {
        $batch = [];
        for ($i = 0; $i < BATCH; $i++) {
            $batch[] = Async\spawn($nothing);
        }
        foreach ($batch as $coroutine) {
            Async\await($coroutine);
        }
    };
    $round();
    $start = Pair::cpu();
    for ($i = 0; $i < BATCHES; $i++) {
        $round();
    }

    return (Pair::cpu() - $start) / COROUTINES;
}

function fibers_to_the_end(): float
{
    $nothing = static function (): void {
    };
    $start = Pair::cpu();
    for ($i = 0; $i < COROUTINES; $i++) {
        (new Fiber($nothing))->start();
    }

    return (Pair::cpu() - $start) / COROUTINES;
}

function swoole_to_the_end(): float
{
    $nothing = static function (): void {
    };
    Coroutine::create($nothing);
    $start = Pair::cpu();
    for ($i = 0; $i < COROUTINES; $i++) {
        Coroutine::create($nothing);
    }

    return (Pair::cpu() - $start) / COROUTINES;
}

return [
    new Pair('create and finish, one by one, against Fiber', 'nanoseconds', one_by_one(...), fibers_to_the_end(...), 0.05),
    new Pair('create and finish, 100 at a time, against Fiber', 'nanoseconds', in_batches(...), fibers_to_the_end(...), null),
    new Pair('create and finish, one by one, against Swoole', 'nanoseconds', one_by_one(...), swoole_to_the_end(...), null, other: Pair::SWOOLE),
];
