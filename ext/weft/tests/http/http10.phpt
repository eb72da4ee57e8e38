--TEST--
HTTP/1.0: closes after the answer unless keep-alive is asked for; no chunks
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo "a"; if (isset($_GET["flush"])) { flush(); } echo "b";');
$ask = function (Client $client, string $request) {
    $response = $client->send($request)->response();
    echo $response->statusLine, ' ', $response->body, ', ', $response->framing(), ', ', $response->headers['connection'], ', ',
        $response->headers['connection'] === 'close' ? ($client->closed() ? 'closed' : 'open') : 'open', "\n";
};
$ask($server->connect(), "GET / HTTP/1.0\r\n\r\n");
$ask($server->connect(), "GET /?flush HTTP/1.0\r\n\r\n");
$client = $server->connect();
$ask($client, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
$ask($client, "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
echo $server->stop();
--EXPECT--
HTTP/1.1 200 OK ab, length 2, close, closed
HTTP/1.1 200 OK ab, until close, close, closed
HTTP/1.1 200 OK ab, length 2, keep-alive, open
HTTP/1.1 200 OK ab, length 2, keep-alive, open
exit status 0
