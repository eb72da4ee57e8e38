--TEST--
A moment in which all places are taken is no overload, however long no request comes after it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    usleep(300_000);
    echo $_GET["n"];
', ['concurrency' => 1], ['weft.http_queue_ms=2400']);
$ask = fn (int $n): Client => $server->connect()->send("GET /?n=$n HTTP/1.1\r\nHost: a\r\n\r\n");

echo $ask(0)->response()->line(), "\n";
// longer than a queue may stand, and than connections are left in the kernel's queue
usleep(2_600_000);
$clients = array_map($ask, range(1, 5));
foreach ($clients as $client) {
    echo $client->response()->line(), "\n";
}
echo $server->stop();
?>
--EXPECT--
200 0
200 1
200 2
200 3
200 4
200 5
exit status 0
