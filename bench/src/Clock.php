<?php

declare(strict_types=1);

namespace Weft\Bench;

/** CPU time of this process: unlike the wall clock it does not count time when others had the processor. */
final class Clock
{
    /** Nanoseconds of user and system time; the kernel gives microseconds. */
    public static function cpu(): float
    {
        $used = getrusage() ?: throw new Failure('getrusage() failed');
        $of = static fn (string $key): float => Value::number($used, $key);

        return ($of('ru_utime.tv_sec') + $of('ru_stime.tv_sec')) * 1e9 + ($of('ru_utime.tv_usec') + $of('ru_stime.tv_usec')) * 1e3;
    }
}
