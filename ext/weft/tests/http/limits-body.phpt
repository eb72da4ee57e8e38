--TEST--
A body above post_max_size is refused: declared at once, chunked when it gets there; the client sees why
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo strlen(file_get_contents("php://input"));', ini: ['post_max_size=1000']);
$ask = fn (string $rest) => $server->connect()->send("POST / HTTP/1.1\r\nHost: t\r\n$rest");
echo $ask("Content-Length: 1000\r\n\r\n" . str_repeat('a', 1000))->response()->line(), "\n";
echo $ask("Content-Length: 1001\r\n\r\n")->response()->line();
$client = $ask("Content-Length: 900000\r\n\r\n" . str_repeat('a', 900000));
echo $client->response()->line();
var_dump($client->closed());
echo $ask("Transfer-Encoding: chunked\r\n\r\n3e8\r\n" . str_repeat('a', 1000) . "\r\n0\r\n\r\n")->response()->line(), "\n";
echo $ask("Transfer-Encoding: chunked\r\n\r\n3e8\r\n" . str_repeat('a', 1000) . "\r\n1\r\n")->response()->line();
// of no size that there is: malformed, whatever the limit
echo $ask("Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n")->response()->line();
echo $ask("Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n")->response()->line();
echo $server->stop();
--EXPECT--
200 1000
413 The request body has 1001 bytes; the limit is 1000 (post_max_size).
413 The request body has 900000 bytes; the limit is 1000 (post_max_size).
bool(true)
200 1000
413 The request body is longer than 1000 bytes (post_max_size).
400 A chunk's size is no number that a size can have.
413 The request body is longer than 1000 bytes (post_max_size).
exit status 0
