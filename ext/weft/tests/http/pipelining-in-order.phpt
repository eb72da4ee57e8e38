--TEST--
Pipelined requests are answered in order, although a later one would be done first
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    Async\delay((int) $_GET["ms"]);
    echo $_GET["name"];
');
$client = $server->connect();
$client->send(
    "GET /?name=slow&ms=50 HTTP/1.1\r\nHost: test\r\n\r\n"
    . "POST /?name=body&ms=10 HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhello"
    . "GET /?name=fast&ms=0 HTTP/1.1\r\nHost: test\r\n\r\n"
    . "GET /?name=part&ms=0 HTTP/1.1\r\nHo"
);
for ($i = 0; $i < 3; $i++) {
    echo $client->response()->line(), "\n";
}
echo $client->send("st: test\r\n\r\n")->response()->line(), "\n";
echo $server->stop();
--EXPECT--
200 slow
200 body
200 fast
200 part
exit status 0
