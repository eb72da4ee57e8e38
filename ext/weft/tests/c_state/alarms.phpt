--TEST--
Each domain has an alarm of its own: it comes while others run, and ends the sleep of the domain that has set it
--EXTENSIONS--
weft
pcntl
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

use function Async\spawn;
use function Async\await;

Weft\Isolation\snapshot();
in_domains(static function (string $me): array {
    $seconds = ['a' => 100, 'b' => 200, 'c' => 0][$me];
    $before = pcntl_alarm($seconds);
    turn();
    $after = pcntl_alarm(0);
    turn();
    return [$before, $after > $seconds - 10 && $after <= $seconds];
}, 'a', 'b', 'c');
echo pcntl_alarm(0), "\n";

// a sleeps for its alarm, b works meanwhile, c sleeps without one
in_domains(static function (string $me): array {
    $heard = null;
    pcntl_async_signals(true);
    if ($me === 'c') {
        return [sleep(2), $heard];
    }
    pcntl_signal(SIGALRM, static function () use (&$heard, $me): void {
        $heard = $me;
    });
    if ($me === 'a') {
        pcntl_alarm(1);
        return [sleep(100) > 90, $heard];
    }
    $end = hrtime(true) + 1_500_000_000;
    while (hrtime(true) < $end) {
        turn();
    }
    return [pcntl_alarm(0), $heard];
}, 'a', 'b', 'c');

// without a wait: the alarm interrupts who computes, as in a process of its own
in_domains(static function (string $me): array {
    $heard = null;
    if ($me === 'a') {
        pcntl_async_signals(true);
        pcntl_signal(SIGALRM, static function () use (&$heard, $me): void {
            $heard = $me;
        });
        pcntl_alarm(1);
        turn();
        $end = hrtime(true) + 10_000_000_000;
        while ($heard === null && hrtime(true) < $end);
    }
    turn();
    return [$heard];
});
?>
--EXPECT--
a: [0,true]
b: [0,true]
c: [0,true]
0
a: [true,"a"]
b: [0,null]
c: [0,null]
a: ["a"]
b: [null]
