<?php

declare(strict_types=1);

// Two coroutines and a byte that goes from one to the other and back, against Swoole's, where swoole.so is there.

use Swoole\Coroutine;
use Swoole\Runtime;
use Weft\Bench\Failure;
use Weft\Bench\Pair;

const ROUND_TRIPS = 50_000;

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
    $start = Pair::cpu();
    $pair = [Async\spawn($one), Async\spawn($other)];
    Async\await($pair[0]);
    Async\await($pair[1]);

    return (Pair::cpu() - $start) / ROUND_TRIPS / 1000;
}

function ping_pong_swoole(): float
{
    Runtime::enableCoroutine(SWOOLE_HOOK_ALL);
    $start = 0.0;
    Coroutine\run(static function () use (&$start): void {
        [$one, $other] = players();
        $start = Pair::cpu();
        Coroutine::create($one);
        Coroutine::create($other);
    });

    return (Pair::cpu() - $start) / ROUND_TRIPS / 1000;
}

return [new Pair('a byte to another coroutine and back, against Swoole', 'microseconds', ping_pong(...), ping_pong_swoole(...), null, other: Pair::SWOOLE)];
