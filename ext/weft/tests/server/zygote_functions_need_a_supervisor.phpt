--TEST--
The zygote's functions refuse to work in a process that no supervisor started
--EXTENSIONS--
weft
--FILE--
<?php
foreach (['configuration' => [], 'scout' => [fn () => null], 'not_booted' => ['a reason'], 'run' => [fn () => null]] as $function => $arguments) {
    try {
        ("Weft\\Server\\$function")(...$arguments);
        echo "$function worked\n";
    } catch (RuntimeException $e) {
        echo "$function: ", $e->getMessage(), "\n";
    }
}
?>
--EXPECT--
configuration: This process was not started by Weft's supervisor. Use "bin/weft serve" to start a server.
scout: This process was not started by Weft's supervisor. Use "bin/weft serve" to start a server.
not_booted: This process was not started by Weft's supervisor. Use "bin/weft serve" to start a server.
run: This process was not started by Weft's supervisor. Use "bin/weft serve" to start a server.
