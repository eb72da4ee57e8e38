--TEST--
exit() in the main script cancels its coroutines; shutdown functions still run
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, delay};

register_shutdown_function(fn () => print "shutdown function\n");
spawn(function () {
    try {
        while (true) {
            delay(1);
        }
    } finally {
        echo "ticker: finally\n";
    }
});
delay(3);
exit("exit\n");
?>
--EXPECT--
exit
ticker: finally
shutdown function
