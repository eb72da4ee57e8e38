--TEST--
"100 Continue" comes when the body is wanted, and the refusal instead of it when not
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo strlen(file_get_contents("php://input"));', ini: ['post_max_size=100']);
$ask = fn (string $headers) => $server->connect()->send("POST / HTTP/1.1\r\nHost: test\r\n$headers\r\n");
$client = $ask("Content-Length: 5\r\nExpect: 100-continue\r\n");
echo $client->response()->statusLine, "\n";
echo $client->send('hello')->response()->line(), "\n";
echo $ask("Content-Length: 101\r\nExpect: 100-continue\r\n")->response()->line();
echo $ask("Content-Length: 5\r\nExpect: tea\r\n")->response()->line();
echo $ask("Content-Length: 0\r\nExpect: 100-continue\r\n")->response()->line(), "\n";
echo $server->stop();
--EXPECT--
HTTP/1.1 100 Continue
200 5
413 The request body has 101 bytes; the limit is 100 (post_max_size).
417 The only expectation known here is "100-continue".
200 0
exit status 0
