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
// known to the server: new ones would wait in the kernel's queue
$known = static fn (): Client => $server->connect()->send("GET /known HTTP/1.1\r\nHost: a\r\n\r\n");
$clients = ['early' => $known(), 'wait' => $known(), 'a' => $known(), 'b' => $known()];
foreach ($clients as $client) {
    $client->response();
    $server->line();
}
[$streams, $more] = [new H2Client($server), new H2Client($server)];
foreach ([$streams, $more] as $client) {
    $client->send(H2::get(1, '/known'));
    $client->settle();
    $server->line();
}
$ask = static function (string $name) use ($clients): void {
    $clients[$name]->send("GET /$name HTTP/1.1\r\nHost: a\r\n\r\n");
    usleep(100_000);
};
$ask('wait');
foreach ([3, 5, 7, 9, 11] as $n) {
    $streams->send(H2::get($n, "/stream-$n"));
}
usleep(100_000);
$ask('a');
$ask('b');
$more->send(H2::get(3, '/more-3'), H2::get(5, '/more-5'));
usleep(100_000);
$ask('early'); // it was there before all others
touch($go);
for ($line = 0; $line < 11; $line++) {
    echo $server->line();
}
unlink($go);
echo $server->stop();
?>
--EXPECT--
/wait
/stream-3
/a
/b
/more-3
/early
/stream-5
/more-5
/stream-7
/stream-9
/stream-11
exit status 0
