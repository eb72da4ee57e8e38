<?php

declare(strict_types=1);

// What the other micro scripts compare with PHP's own, against Swoole's coroutines, where swoole.so is there.

use Swoole\Coroutine;
use Swoole\Runtime;
use Weft\Bench\Clock;
use Weft\Bench\Failure;
use Weft\Bench\Pair;

require __DIR__ . '/../autoload.php';

const SWITCHES_EACH = 1_000_000;
const TIMES = 200_000;
const ROUND_TRIPS = 50_000;

/** Two coroutines that call suspend() in turn: a switch for each call. */
function switching(): float
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

/** Resuming and yielding: a switch for each call as well. */
function switching_swoole(): float
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

function creating(): float
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

/** A new coroutine runs at once, here to its end. */
function creating_swoole(): float
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

/**
 * A byte goes to another coroutine and comes back, so each read waits and both are switched to once.
 *
 * @return array{Closure(): void, Closure(): void}
 */
function players(): array
{
    $ends = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0) ?: throw new Failure('no pair of sockets');
    $play = static function (mixed $end, bool $serves): void {
        for ($i = 0; is_resource($end) && $i < ROUND_TRIPS; $i++) {
            if ($serves) {
                fwrite($end, 'x');
            }
            if (fread($end, 1) !== 'x') {
                throw new Failure('the byte did not come');
            }
            if (!$serves) {
                fwrite($end, 'x');
            }
        }
    };

    return [static fn () => $play($ends[0], true), static fn () => $play($ends[1], false)];
}

function ping_pong(): float
{
    [$one, $other] = players();
    $start = Clock::cpu();
    $pair = [Async\spawn($one), Async\spawn($other)];
    Async\await($pair[0]);
    Async\await($pair[1]);

    return (Clock::cpu() - $start) / ROUND_TRIPS / 1000;
}

function ping_pong_swoole(): float
{
    Runtime::enableCoroutine(SWOOLE_HOOK_ALL);
    $start = 0.0;
    Coroutine\run(static function () use (&$start): void {
        [$one, $other] = players();
        $start = Clock::cpu();
        Coroutine::create($one);
        Coroutine::create($other);
    });

    return (Clock::cpu() - $start) / ROUND_TRIPS / 1000;
}

Pair::main(
    new Pair('switch, against Swoole', 'ns', switching(...), switching_swoole(...), null, other: Pair::SWOOLE),
    new Pair('create and finish, one by one, against Swoole', 'ns', creating(...), creating_swoole(...), null, other: Pair::SWOOLE),
    new Pair('a byte to another coroutine and back, against Swoole', 'µs', ping_pong(...), ping_pong_swoole(...), null, other: Pair::SWOOLE),
);
