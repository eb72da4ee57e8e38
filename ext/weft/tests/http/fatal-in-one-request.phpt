--TEST--
A fatal error, exhausted memory or an uncaught exception ends its own request with 500; others finish
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

// without the queue for memory: after who has used all of it, others wait and a line tells
$server = new Server('
    switch ($_GET["do"]) {
        case "wait": Async\delay(200); echo "waited"; return;
        case "error": trigger_error("broken", E_USER_ERROR);
        case "throw": throw new LogicException("thrown");
        case "memory": $s = str_repeat("x", 100 << 20); return;
        case "much": for ($a = [];;) { $a[] = str_repeat("x", 1000); }
        case "late": echo "part"; flush(); trigger_error("late", E_USER_ERROR);
    }
', config: ['memory_share' => 0], ini: ['memory_limit=32M', 'error_reporting=24575']);
$waiting = $server->connect()->send("GET /?do=wait HTTP/1.1\r\nHost: a\r\n\r\n");
foreach (['error', 'throw', 'memory', 'much', 'late'] as $do) {
    echo "$do: ", $server->get("/?do=$do"), "\n";
}
echo $waiting->response()->line(), "\n";
echo $server->stop();
--EXPECTF--
error: 500 
throw: 500 
memory: 500 
much: 500 
late: 200 part (cut short)
200 waited
exit status 0
PHP Fatal error:  broken in %s
PHP Fatal error:  Uncaught LogicException: thrown in %s
    Stack trace:
    #0 [internal function]: {closure%S}()
    #1 {main}
      thrown in %s
PHP Fatal error:  Allowed memory size of 33554432 bytes exhausted%s
PHP Fatal error:  Allowed memory size of 33554432 bytes exhausted%s
PHP Fatal error:  late in %s
