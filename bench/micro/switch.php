<?php

declare(strict_types=1);

// A switch between two coroutines, against a switch of PHP's own Fiber.
//
// What is counted is real switches, on both sides. Resuming a Fiber and its suspending are two switches (main to
// fiber, fiber to main), each one call of a method. Two coroutines that call suspend() in turn switch once per
// call. So both sides make one call of an internal function for each switch.

use Weft\Bench\Pair;

require __DIR__ . '/../autoload.php';

const SWITCHES = 4_000_000;

function coroutines(): float
{
    $turns = static function (): void {
        for ($i = 0; $i < SWITCHES / 2; $i++) {
            Async\suspend();
        }
    };
    $start = hrtime(true);
    $one = Async\spawn($turns);
    $two = Async\spawn($turns);
    Async\await($one);
    Async\await($two);

    return (hrtime(true) - $start) / SWITCHES;
}

function fibers(): float
{
    $fiber = new Fiber(static function (): void {
        for ($i = 0; $i < SWITCHES / 2; $i++) {
            Fiber::suspend();
        }
    });
    $fiber->start();
    $start = hrtime(true);
    for ($i = 1; $i < SWITCHES / 2; $i++) {
        $fiber->resume();
    }

    return (hrtime(true) - $start) / SWITCHES;
}

Pair::main(new Pair('switch, against Fiber', 'ns', coroutines(...), fibers(...), 0.75));
