--TEST--
At the end of the script the coroutines that are left run to their end, before shutdown functions
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, delay, get_coroutines};

register_shutdown_function(function () {
    echo "shutdown function\n";
});
spawn(function () {
    delay(10);
    echo "first done\n";
    spawn(function () {
        delay(5);
        echo "its child done\n";
    });
});
echo count(get_coroutines()), " coroutines\nend of script\n";
?>
--EXPECT--
2 coroutines
end of script
first done
its child done
shutdown function
