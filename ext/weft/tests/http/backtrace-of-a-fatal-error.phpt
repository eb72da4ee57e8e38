--TEST--
The backtrace of one request's fatal error is neither in another's error_get_last() nor kept
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (PHP_VERSION_ID < 80500) {
    die('skip PHP 8.5 keeps a backtrace of fatal errors');
}
?>
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    function broken(object $held) { str_repeat("x", 100 << 20); }
    if ($_GET["do"] === "fatal") {
        register_shutdown_function(function () {
            echo count(error_get_last()["trace"] ?? []) > 0 ? "own trace" : "no trace";
        });
        broken((object) []);
    }
    @trigger_error("small");
    echo count(error_get_last()["trace"] ?? []);
', ini: ['memory_limit=32M', 'fatal_error_backtraces=1', 'zend.exception_ignore_args=0']);
echo $server->get('/?do=fatal'), "\n";
echo $server->get('/?do=other'), "\n";
echo $server->get('/?do=other'), "\n";
preg_match('/^exit status \d+$/m', $server->stop(), $status);
echo $status[0], "\n";
?>
--EXPECT--
500 own trace
200 0
200 0
exit status 0
