--TEST--
sleep, usleep, time_nanosleep and time_sleep_until let the others run and end in the order of their deadlines
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await};

$order = [];
$wait = function (string $name, callable $call) use (&$order): Async\Coroutine {
    return spawn(function () use ($name, $call, &$order) {
        $order[] = "$name begins";
        $call();
        $order[] = "$name ends";
    });
};
$all = [
    $wait('sleep', fn () => sleep(1)),
    $wait('usleep', fn () => usleep(20_000)),
    $wait('time_nanosleep', fn () => time_nanosleep(0, 80_000_000)),
    $wait('time_sleep_until', fn () => time_sleep_until(microtime(true) + 0.3)),
    $wait('usleep(0)', fn () => usleep(0)),
];
array_map(static fn ($one) => await($one), $all);
echo implode("\n", $order), "\n";
?>
--EXPECT--
sleep begins
usleep begins
time_nanosleep begins
time_sleep_until begins
usleep(0) begins
usleep(0) ends
usleep ends
time_nanosleep ends
time_sleep_until ends
sleep ends
