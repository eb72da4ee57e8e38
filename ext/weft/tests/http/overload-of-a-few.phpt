--TEST--
weft.http_queue_min may wait for any time, in a line that stands as well; who comes beyond is told
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$go = tempnam(sys_get_temp_dir(), 'weft-test-');
unlink($go);
$server = new Server('
    while (!file_exists("' . $go . '")) {
        Async\delay(5);
        clearstatcache();
    }
', ['concurrency' => 1], ['weft.http_queue_ms=100', 'weft.http_queue_min=4']);
$connections = array_map(fn (int $n): Client => $server->connect(), range(1, 7));
foreach ($connections as $number => $connection) {
    $connection->send("GET /$number HTTP/1.1\r\nHost: a\r\n\r\n");
    if ($number < 5) {
        usleep(150_000);
    }
}
// one runs, four wait for longer than any newcomer may
foreach ([5, 6] as $beyond) {
    echo $connections[$beyond]->response()->status, "\n";
}
touch($go);
foreach (array_slice($connections, 0, 5) as $connection) {
    echo $connection->response()->status, "\n";
}
unlink($go);
echo preg_replace('/overload: .*/', 'overload', $server->stop());
?>
--EXPECT--
503
503
200
200
200
200
200
exit status 0
weft: overload
