--TEST--
getenv() sees its own request's input, also after another ran in between; filter_input() never sees another's
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    Async\delay((int) $_GET["ms"]);
    echo getenv("QUERY_STRING"), " ", json_encode([filter_input(INPUT_GET, "name"), filter_input(INPUT_COOKIE, "c")]);
');
$slow = $server->connect()->send("GET /?name=slow&ms=100 HTTP/1.1\r\nHost: a\r\nCookie: c=1\r\n\r\n");
usleep(20000);
echo $server->get('/?name=fast&ms=0', "Cookie: c=2\r\n"), "\n";
echo $slow->response()->line(), "\n";
echo $server->stop();
--EXPECT--
200 name=fast&ms=0 [null,null]
200 name=slow&ms=100 [null,null]
exit status 0
