--TEST--
exit() in a coroutine ends the script: finally blocks of the others run, the rest of the script does not
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, delay};

$other = spawn(function () {
    try {
        delay(60_000);
    } finally {
        echo "other: finally\n";
    }
});
spawn(function () {
    delay(1);
    echo "exit\n";
    exit(3);
});
await($other);
echo "not reached\n";
?>
--EXPECT--
exit
other: finally
