--TEST--
A signal that comes while a domain's handler waits is heard once by each; an alarm that ends while its domain computes by nobody else
--EXTENSIONS--
weft
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

Weft\Isolation\snapshot();
// handlers run with all signals blocked
in_domains(static function (string $me): array {
    $begun = $ended = 0;
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, static function () use (&$begun, &$ended): void {
        $begun++;
        turn();
        turn();
        $ended++;
    });
    turn();
    if ($me !== 'b') {
        posix_kill(posix_getpid(), SIGUSR1);
    }
    for ($i = 0; $i < 40; $i++) {
        turn();
    }
    // two that come close together are one
    return [$begun === 1 || $begun === 2, $begun - $ended];
}, 'a', 'b', 'c');

// one to itself while its own handler waits
in_domains(static function (string $me): array {
    $log = [];
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, static function () use (&$log, $me): void {
        $log[] = $me;
        if (count($log) === 1 && $me === 'a') {
            posix_kill(posix_getpid(), SIGUSR1);
        }
        turn();
        turn();
    });
    turn();
    if ($me === 'a') {
        posix_kill(posix_getpid(), SIGUSR1);
    }
    for ($i = 0; $i < 20; $i++) {
        turn();
    }
    return [count($log) === 2 || $me === 'b' && count($log) === 1];
}, 'a', 'b');

in_domains(static function (string $me): int {
    $heard = 0;
    pcntl_async_signals(true);
    pcntl_signal(SIGALRM, static function () use (&$heard): void {
        $heard++;
    });
    turn();
    if ($me === 'a') {
        pcntl_alarm(1);
        $end = hrtime(true) + 10_000_000_000;
        while ($heard === 0 && hrtime(true) < $end) {
        }
    }
    turn();
    return $heard;
}, 'a', 'b');
?>
--EXPECT--
a: [true,0]
b: [true,0]
c: [true,0]
a: [true]
b: [true]
a: 1
b: 0
