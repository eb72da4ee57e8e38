<?php
use function Async\{spawn, await, delay, get_coroutines};

$done = 0;
for ($i = 0; $i < 100_000; $i++) {
    $last = spawn(function () use (&$done) {
        delay(300);
        $done++;
    });
}
delay(1);
echo count(get_coroutines()), "\n";
await($last);
delay(10);
echo $done, "\n";
?>
