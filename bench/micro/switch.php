<?php

declare(strict_types=1);

// A switch between two coroutines, against a switch of PHP's own Fiber and of Swoole's coroutines.
//
// What is counted is real switches, on every side. Resuming a Fiber and its suspending are two switches (main to
// fiber, fiber to main), each one call of a method; so are Swoole's resume and yield. Two coroutines that call
// suspend() in turn switch once per call. So all sides make one call of an internal function for each switch, in
// loops of the same shape.

use Swoole\Coroutine;
use Weft\Bench\Clock;
use Weft\Bench\Pair;

require __DIR__ . '/../autoload.php';

const SWITCHES_EACH = 2_000_000;

function coroutines(): float
{
    $turns = static function (): void {
        for ($i = 0; $i < SWITCHES_EACH; $i++) {
            Async\suspend();
        }
    };
    $start = Clock::cpu();
    $one = Async\spawn($turns);
    $two = Async\spawn($turns);
    Async\await($one);
    Async\await($two);

    return (Clock::cpu() - $start) / (2 * SWITCHES_EACH);
}

function fibers(): float
{
    $fiber = new Fiber(static function (): void {
        for ($i = 0; $i < SWITCHES_EACH; $i++) {
            Fiber::suspend();
        }
    });
    $fiber->start();
    $start = Clock::cpu();
    for ($i = 0; $i < SWITCHES_EACH; $i++) {
        $fiber->resume();
    }

    return (Clock::cpu() - $start) / (2 * SWITCHES_EACH);
}

function swoole(): float
{
    $id = Coroutine::create(static function (): void {
        for ($i = 0; $i < SWITCHES_EACH; $i++) {
            Coroutine::yield();
        }
    });
    $start = Clock::cpu();
    for ($i = 0; $i < SWITCHES_EACH; $i++) {
        Coroutine::resume($id);
    }

    return (Clock::cpu() - $start) / (2 * SWITCHES_EACH);
}

Pair::main(
    new Pair('switch, against Fiber', 'ns', coroutines(...), fibers(...), 0.75),
    new Pair('switch, against Swoole', 'ns', coroutines(...), swoole(...), null, other: Pair::SWOOLE),
);
