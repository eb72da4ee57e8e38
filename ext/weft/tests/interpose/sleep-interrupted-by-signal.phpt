--TEST--
A signal ends a sleep early, and sleep() says how many seconds were left
--EXTENSIONS--
weft
posix
--SKIPIF--
<?php if (!function_exists('pcntl_signal')) die('skip needs pcntl'); ?>
--FILE--
<?php
pcntl_async_signals(true);
$order = [];
pcntl_signal(SIGUSR1, function () use (&$order) { $order[] = 'handler'; });
$pid = posix_getpid();
Async\spawn(function () use ($pid, &$order) {
    exec("sleep 0.1; kill -USR1 $pid; sleep 0.2");
    $order[] = 'sent';
});
$left = sleep(100);
$order[] = $left >= 99 ? 'woken early' : "slept, $left left";
usleep(400_000);
echo implode(', ', array_diff($order, ['sent'])), "\n";
?>
--EXPECT--
handler, woken early
