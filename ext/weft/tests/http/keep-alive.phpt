--TEST--
Requests follow each other on one connection, and "Connection: close" ends it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo $_SERVER["REQUEST_URI"];');
$client = $server->connect();
foreach (['/a', '/b', '/c'] as $path) {
    $response = $client->send("GET $path HTTP/1.1\r\nHost: test\r\n\r\n")->response();
    echo $response->line(), ', ', $response->headers['connection'] ?? 'open', "\n";
}
$response = $client->send("GET /d HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")->response();
echo $response->line(), ', ', $response->headers['connection'] ?? 'open', "\n";
var_dump($client->closed());
echo $server->stop();
--EXPECT--
200 /a, open
200 /b, open
200 /c, open
200 /d, close
bool(true)
exit status 0
