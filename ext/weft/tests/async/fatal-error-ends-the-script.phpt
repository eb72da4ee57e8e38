--TEST--
A fatal error in a coroutine ends the script, as it does in plain PHP
--EXTENSIONS--
weft
--INI--
memory_limit=16M
html_errors=0
--FILE--
<?php
use function Async\{spawn, await, delay};

$other = spawn(fn () => delay(60_000));
spawn(function () {
    delay(1);
    $all = [];
    while (true) {
        $all[] = str_repeat('x', 1 << 20);
    }
});
await($other);
echo "not reached\n";
?>
--EXPECTF--
%AFatal error: Allowed memory size of 16777216 bytes exhausted%A
