<?php

declare(strict_types=1);

// A switch between two coroutines, against a switch of PHP's own Fiber and of Swoole's coroutines.
//
// What is counted is real switches, on every side. Resuming a Fiber and its suspending are two switches (main to
// fiber, fiber to main), each one call of a method; so are Swoole's resume and yield. Two coroutines that call
// suspend() in turn switch once per call. So all sides make one call of an internal function for each switch, in
// loops of the same shape.

use Swoole\Coroutine;
use Weft\Bench\Pair;

const SWITCHES_EACH = 2_000_000;

function coroutines(): float
{
    $turns = static function (): void {
        for ($i = 0; $i < SWITCHES_EACH; $i++) {
            Async\suspend();
        }
    };
    $start = Pair::cpu();
    $one = Async\spawn($turns);
    $two = Async\spawn($turns);
    Async\await($one);
    Async\await($two);

    return (Pair::cpu() - $start) / (2 * SWITCHES_EACH);
}

function fibers(): float
{
    $fiber = new Fiber(static function (): void {
        for ($i = 0; $i < SWITCHES_EACH; $i++) {
            Fiber::suspend();
        }
    });
    $fiber->start();
    $start = Pair::cpu();
    for ($i = 0; $i < SWITCHES_EACH; $i++) {
        $fiber->resume();
    }

    return (Pair::cpu() - $start) / (2 * SWITCHES_EACH);
}

function swoole(): float
{
    $id = Coroutine::create(static function (): void {
        for ($i = 0; $i < SWITCHES_EACH; $i++) {
            Coroutine::yield();
        }
    });
    $start = Pair::cpu();
    for ($i = 0; $i < SWITCHES_EACH; $i++) {
        Coroutine::resume($id);
    }

    return (Pair::cpu() - $start) / (2 * SWITCHES_EACH);
}

return [
    new Pair('switch, against Fiber', 'nanoseconds', coroutines(...), fibers(...), 0.75),
    new Pair('switch, against Swoole', 'nanoseconds', coroutines(...), swoole(...), null, other: Pair::SWOOLE),
];
