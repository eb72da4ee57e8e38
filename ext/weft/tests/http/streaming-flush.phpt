--TEST--
flush() sends what there is; without it the length is known
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    echo "a";
    if (isset($_GET["flush"])) { flush(); Async\delay(20); }
    echo "b", "c";
    if (isset($_GET["flush"])) { flush(); }
');
$client = $server->connect()->send("GET /?flush HTTP/1.1\r\nHost: a\r\n\r\n");
$client->head();
while (($chunk = $client->chunk()) !== '') {
    echo "chunk $chunk\n";
}
$response = $client->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response();
echo $response->line(), ' ', $response->framing(), "\n", $server->stop();
--EXPECT--
chunk a
chunk bc
200 abc length 3
exit status 0
