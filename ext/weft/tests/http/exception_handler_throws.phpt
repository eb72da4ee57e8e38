--TEST--
HTTP: what an exception handler throws is reported as PHP reports it, and a shutdown function's exception is not for it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    set_exception_handler(function (Throwable $e) { throw new Exception("second"); });
    if ($_SERVER["REQUEST_URI"] === "/shutdown") {
        register_shutdown_function(fn () => throw new Exception("late"));
    } elseif ($_SERVER["REQUEST_URI"] === "/exit") {
        set_exception_handler(function (Throwable $e) { echo $e->getMessage(); exit; });
        throw new Exception("first");
    } else {
        throw new Exception("first");
    }
', [], ['output_buffering=0']);
foreach (['/', '/shutdown', '/exit'] as $path) {
    echo $server->get($path), "\n";
}
echo preg_replace(['/ in .*/', '/\n +(#|thrown|Stack).*/'], '', $server->stop());
--EXPECT--
500 
500 
200 first
exit status 0
PHP Fatal error:  Uncaught Exception: second
PHP Fatal error:  Uncaught Exception: late
