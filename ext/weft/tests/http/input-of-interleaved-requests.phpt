--TEST--
getenv() and filter_input() see their own request's input, also after another ran in between
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    Async\delay((int) $_GET["ms"]);
    echo getenv("QUERY_STRING"), " ", json_encode([
        filter_input(INPUT_GET, "name"), filter_input(INPUT_COOKIE, "c"), filter_has_var(INPUT_GET, "only"),
        filter_input_array(INPUT_POST), filter_input(INPUT_SERVER, "HTTP_X_NAME"),
    ]);
');
$slow = $server->connect()->send("GET /?name=slow&ms=100 HTTP/1.1\r\nHost: a\r\nCookie: c=1\r\nX-Name: slow\r\n\r\n");
usleep(20000);
echo $server->get('/?name=fast&ms=0', "Cookie: c=2\r\n"), "\n";
echo $slow->response()->line(), "\n";
echo $server->connect()->send(
    "POST /?name=post&ms=0&only=1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\na=1&b[0]=2",
)->response()->line(), "\n";
echo $server->stop();
--EXPECT--
200 name=fast&ms=0 ["fast","2",false,null,null]
200 name=slow&ms=100 ["slow","1",false,null,"slow"]
200 name=post&ms=0&only=1 ["post",null,true,{"a":"1","b":["2"]},null]
exit status 0
