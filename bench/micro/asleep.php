<?php

declare(strict_types=1);

// Resident memory of a coroutine that sleeps, with 100,000 of them and the kernel's default limits.
// Page tables are not part of RSS; the second row adds them (VmPTE).

use Weft\Bench\Failure;
use Weft\Bench\Pair;

const SLEEPERS = 100_000;

function status(string $key): int
{
    preg_match("/^$key:\\s+(\\d+) kB/m", (string) file_get_contents('/proc/self/status'), $match);

    return (int) ($match[1] ?? 0);
}

/** @return float KiB that so many sleeping coroutines have added */
function sleepers(string ...$keys): float
{
    $maps = (int) file_get_contents('/proc/sys/vm/max_map_count');
    if ($maps > 65530) {
        throw new Failure("vm.max_map_count is $maps; the kernel's default is 65530");
    }
    $used = static fn (): int => array_sum(array_map(status(...), $keys));
    $asleep = 0;
    $sleep = static function () use (&$asleep): void {
        $asleep++;
        Async\delay(600_000);
    };
    Async\await(Async\spawn(static fn (): int => 1));
    $coroutines = new SplFixedArray(SLEEPERS);
    $before = $used();
    for ($i = 0; $i < SLEEPERS; $i++) {
        $coroutines[$i] = Async\spawn($sleep);
    }
    while ($asleep < SLEEPERS) {
        Async\suspend();
    }
    $each = ($used() - $before) / SLEEPERS;
    echo "\nSAMPLE $each\n";
    // What is measured is the sleep; nobody has to wait for its end.
    pcntl_exec('/bin/true');

    return $each;
}

return [
    new Pair('100,000 coroutines asleep, RSS each', 'kibibytes', static fn (): float => sleepers('VmRSS'), null, 9.0, 3),
    new Pair('100,000 coroutines asleep, RSS and page tables each', 'kibibytes', static fn (): float => sleepers('VmRSS', 'VmPTE'), null, null, 3),
];
