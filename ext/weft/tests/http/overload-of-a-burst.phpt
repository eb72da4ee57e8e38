--TEST--
A burst into an empty queue is not refused for what it may take; a request that has waited for too long is, when its turn comes
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$go = tempnam(sys_get_temp_dir(), 'weft-test-');
unlink($go);
$server = new Server('
    while (isset($_GET["waits"]) && !file_exists("' . $go . '")) {
        Async\delay(5);
        clearstatcache();
    }
', ['concurrency' => 1], ['weft.http_queue_ms=2000']);
// they are connected: none is left in the kernel's queue
$connections = array_map(fn (int $n): Client => $server->connect(), range(1, 6));
foreach ($connections as $connection) {
    $connection->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response();
}
foreach ($connections as $connection) {
    $connection->send("GET /?waits HTTP/1.1\r\nHost: a\r\n\r\n");
}
usleep(3_500_000);
touch($go);
$answers = array_map(fn (Client $connection): int => $connection->response()->status, $connections);
$times = array_count_values($answers);
ksort($times); // whichever was read first
foreach ($times as $status => $count) {
    echo "$count times $status\n";
}
unlink($go);
echo preg_replace('/overload: .*/', 'overload', $server->stop());
?>
--EXPECT--
1 times 200
5 times 503
exit status 0
weft: overload
