--TEST--
Request line, header bytes and header count are limited, and the answer names the limit
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo "fine";', ['max_request_line' => 100, 'max_header_bytes' => 300, 'max_header_count' => 5]);
$ask = fn (string $target, string $headers = '') => $server->connect()->send("GET $target HTTP/1.1\r\nHost: t\r\n$headers\r\n")->response()->line();
echo $ask('/' . str_repeat('a', 86)), "\n";
echo $ask('/' . str_repeat('a', 87));
echo $server->connect()->send('GET /' . str_repeat('a', 500))->response()->line();
echo $ask('/', str_repeat("X: y\r\n", 4)), "\n";
echo $ask('/', str_repeat("X: y\r\n", 5));
echo $ask('/', 'X: ' . str_repeat('a', 300) . "\r\n");
echo $server->connect()->send("GET / HTTP/1.1\r\nX: " . str_repeat('a', 500))->response()->line();
echo $server->stop();
--EXPECT--
200 fine
414 The request line is longer than 100 bytes (weft.http_max_request_line).
414 The request line is longer than 100 bytes (weft.http_max_request_line).
200 fine
431 The request has more than 5 headers (weft.http_max_header_count).
431 The request headers are longer than 300 bytes (weft.http_max_header_bytes).
431 The request headers are longer than 300 bytes (weft.http_max_header_bytes).
exit status 0
