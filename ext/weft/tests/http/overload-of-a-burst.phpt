--TEST--
Of a burst into an empty line, who finds out at his turn that he has waited for too long is told so; as many as run may wait
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
', ['concurrency' => 1], ['weft.http_queue_ms=2000', 'weft.http_queue_min=0']);
// they are connected: none is left in the kernel's queue
$connections = array_map(fn (int $n): Client => $server->connect(), range(1, 6));
foreach ($connections as $connection) {
    $connection->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response();
}
foreach ($connections as $connection) {
    $connection->send("GET /?waits HTTP/1.1\r\nHost: a\r\n\r\n");
}
usleep(2_500_000);
touch($go);
$answers = array_map(fn (Client $connection): int => $connection->response()->status, $connections);
foreach (array_count_values($answers) as $status => $count) {
    echo "$count times $status\n";
}
unlink($go);
echo preg_replace('/overload: .*/', 'overload', $server->stop());
?>
--EXPECT--
3 times 200
3 times 503
exit status 0
weft: overload
