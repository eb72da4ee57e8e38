--TEST--
HEAD has the headers and the length of GET, and no body
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('header("X-A: b"); echo "hello"; echo " world";');
$client = $server->connect();
for ($i = 0; $i < 2; $i++) {
    $response = $client->send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n")->response(true);
    echo $response->status, ' ', $response->framing(), ' ', $response->headers['x-a'], "\n";
}
echo $client->send("GET / HTTP/1.1\r\nHost: test\r\n\r\n")->response()->line(), "\n";
echo $server->stop();
--EXPECT--
200 length 11 b
200 length 11 b
200 hello world
exit status 0
