--TEST--
A head or body that does not come gets 408; an idle connection is closed without a word
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo "served";', ['header_timeout_ms' => 100, 'body_timeout_ms' => 100, 'idle_timeout_ms' => 100]);
echo $server->connect()->send("GET / HTTP/1.1\r\nHos")->response()->line();
echo $server->connect()->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")->response()->line();
$idle = $server->connect();
var_dump($idle->closed());
$used = $server->connect();
echo $used->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response()->line(), "\n";
var_dump($used->closed());
echo $server->stop();
--EXPECT--
408 The request's head took longer than 100 ms (weft.http_header_timeout_ms).
408 Nothing of the request's body came for 100 ms (weft.http_body_timeout_ms).
bool(true)
200 served
bool(true)
exit status 0
