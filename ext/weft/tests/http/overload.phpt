--TEST--
While the request at the head of the queue has waited for too long, new ones are refused at once; those that have waited for too long themselves are when their turn comes
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$go = tempnam(sys_get_temp_dir(), 'weft-test-');
$server = new Server('
    for (; !file_exists("' . $go . '"); clearstatcache()) {
        Async\delay(5);
    }
    echo $_GET["n"];
', ['concurrency' => 2], ['weft.http_queue_ms=100']);
unlink($go);
$ask = fn (int $n): Client => $server->connect()->send("GET /?n=$n HTTP/1.1\r\nHost: a\r\n\r\n");

$clients = [];
for ($n = 1; $n <= 5; $n++) {
    $clients[] = $ask($n);
    usleep(20_000);
}
usleep(1_000_000);
$again = $ask(6);
$refused = $again->response();
echo $refused->line(), "Retry-After: {$refused->headers['retry-after']}\n";
touch($go);
foreach ($clients as $client) {
    echo trim($client->response()->line()), "\n";
}
echo $again->send("GET /?n=7 HTTP/1.1\r\nHost: a\r\n\r\n")->response()->line(), "\n";
unlink($go);
echo preg_replace('/for \d+ ms/', 'for N ms', $server->stop());
?>
--EXPECT--
503 Too many requests wait.
Retry-After: 2
200 1
200 2
503 Too many requests wait.
503 Too many requests wait.
503 Too many requests wait.
200 7
exit status 0
weft: overload: 3 requests are queued, the oldest for N ms; rejecting with 503 (weft.http_queue_ms)
