<?php

declare(strict_types=1);

// Creating a coroutine and waiting for its end, against creating a Fiber or a coroutine of Swoole's, which run to
// their end at once. The first coroutine maps a stack; the others find it in the pool.

use Swoole\Coroutine;
use Weft\Bench\Clock;
use Weft\Bench\Pair;

require __DIR__ . '/../autoload.php';

const TIMES = 200_000;
const BATCH = 100;
const BATCHES = 2_000;

function one_by_one(): float
{
    $nothing = static function (): void {
    };
    Async\await(Async\spawn($nothing));
    $start = Clock::cpu();
    for ($i = 0; $i < TIMES; $i++) {
        Async\await(Async\spawn($nothing));
    }

    return (Clock::cpu() - $start) / TIMES;
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
    $start = Clock::cpu();
    for ($i = 0; $i < BATCHES; $i++) {
        $round();
    }

    return (Clock::cpu() - $start) / TIMES;
}

function fibers_to_the_end(): float
{
    $nothing = static function (): void {
    };
    $start = Clock::cpu();
    for ($i = 0; $i < TIMES; $i++) {
        (new Fiber($nothing))->start();
    }

    return (Clock::cpu() - $start) / TIMES;
}

function swoole_to_the_end(): float
{
    $nothing = static function (): void {
    };
    Coroutine::create($nothing);
    $start = Clock::cpu();
    for ($i = 0; $i < TIMES; $i++) {
        Coroutine::create($nothing);
    }

    return (Clock::cpu() - $start) / TIMES;
}

Pair::main(
    new Pair('create and finish, one by one, against Fiber', 'ns', one_by_one(...), fibers_to_the_end(...), 0.05),
    new Pair('create and finish, 100 at a time, against Fiber', 'ns', in_batches(...), fibers_to_the_end(...), null),
    new Pair('create and finish, one by one, against Swoole', 'ns', one_by_one(...), swoole_to_the_end(...), null, other: Pair::SWOOLE),
);
