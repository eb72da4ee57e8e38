--TEST--
A hundred thousand coroutines sleep at once within the kernel's default limit of mappings
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (getenv('SKIP_SLOW_TESTS')) {
    die('skip slow');
}
if (getenv('USE_ZEND_ALLOC') === '0') {
    die('skip too large for a memory checker');
}
?>
--INI--
memory_limit=-1
--FILE--
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
--EXPECT--
100001
100000
