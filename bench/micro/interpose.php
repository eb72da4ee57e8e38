<?php

declare(strict_types=1);

// What it costs that a call could wait: a byte written to a socket and read from its other end, where it always is
// already. In a coroutine both calls go through Weft's replacements; the plain side has libc's.

use Weft\Bench\Clock;
use Weft\Bench\Failure;
use Weft\Bench\Pair;

require __DIR__ . '/../autoload.php';

const BYTES = 300_000;

function there_and_back(): float
{
    $ends = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0) ?: throw new Failure('no pair of sockets');
    $start = Clock::cpu();
    for ($i = 0; $i < BYTES; $i++) {
        fwrite($ends[0], 'x');
        fread($ends[1], 1);
    }

    return (Clock::cpu() - $start) / BYTES;
}

function there_and_back_in_coroutine(): float
{
    $result = 0.0;
    Async\await(Async\spawn(static function () use (&$result): void {
        $result = there_and_back();
    }));

    return $result;
}

Pair::main(
    new Pair('a byte written and read, both at once, against plain PHP', 'ns', there_and_back_in_coroutine(...), there_and_back(...), null),
);
