<?php

declare(strict_types=1);

// What it costs that a call could wait: a byte written to a socket and read from its other end, where it always is
// already. In a coroutine both calls go through Weft's replacements; the plain side has libc's.

use Weft\Bench\Failure;
use Weft\Bench\Pair;

const BYTES = 300_000;

function there_and_back(): float
{
    $ends = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0) ?: throw new Failure('no pair of sockets');
    $start = Pair::cpu();
    for ($i = 0; $i < BYTES; $i++) {
        fwrite($ends[0], 'x');
        fread($ends[1], 1);
    }

    return (Pair::cpu() - $start) / BYTES;
}

return [
    new Pair('a byte written and read, both at once, against plain PHP', 'nanoseconds', static fn (): float => Pair::inCoroutine(there_and_back(...)), there_and_back(...)),
];
