--TEST--
Clients take turns, in the order of their oldest complete request: many streams of one connection are one client
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$go = tempnam(sys_get_temp_dir(), 'weft-test-');
unlink($go);
$server = new Server('
    for (; $_SERVER["REQUEST_URI"] === "/wait" && !file_exists("' . $go . '"); clearstatcache()) {
        Async\delay(5);
    }
    fwrite(STDOUT, "{$_SERVER["REQUEST_URI"]}\n");
', ['concurrency' => 1]);
$early = $server->connect(); // before all others, and asks last
$runs = $server->connect()->send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
usleep(100_000);
$streams = new H2Client($server);
foreach ([1, 3, 5, 7, 9] as $n) {
    $streams->send(H2::get($n, "/stream-$n"));
}
usleep(100_000);
$others = [];
foreach (['a', 'b'] as $name) {
    $others[] = $server->connect()->send("GET /$name HTTP/1.1\r\nHost: a\r\n\r\n");
    usleep(100_000);
}
$more = new H2Client($server);
$more->send(H2::get(1, '/more-1'), H2::get(3, '/more-3'));
usleep(100_000);
$early->send("GET /early HTTP/1.1\r\nHost: a\r\n\r\n");
usleep(100_000);
touch($go);
for ($line = 0; $line < 11; $line++) {
    echo $server->line();
}
unlink($go);
echo $server->stop();
?>
--EXPECT--
/wait
/stream-1
/a
/b
/more-1
/early
/stream-3
/more-3
/stream-5
/stream-7
/stream-9
exit status 0
