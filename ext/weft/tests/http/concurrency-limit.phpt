--TEST--
Beyond the limit requests wait, in order, and none is lost
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$log = tempnam(sys_get_temp_dir(), 'weft-test-');
$server = new Server('
    $say = fn (string $what) => file_put_contents("' . $log . '", "$what $_GET[n]\n", FILE_APPEND);
    $say("begin");
    Async\delay(60);
    $say("end");
    echo $_GET["n"];
', ['concurrency' => 2]);
$clients = [];
for ($n = 1; $n <= 6; $n++) {
    $clients[] = $server->connect()->send("GET /?n=$n HTTP/1.1\r\nHost: a\r\n\r\n");
    usleep(5000);
}
foreach ($clients as $client) {
    echo $client->response()->line(), "\n";
}
$running = $most = 0;
foreach (file($log) as $line) {
    $running += str_starts_with($line, 'begin') ? 1 : -1;
    $most = max($most, $running);
}
echo "at most $most at once\n", implode(' ', array_map(fn ($line) => trim(substr($line, 6)), preg_grep('/begin/', file($log)))), "\n";
unlink($log);
echo $server->stop();
--EXPECT--
200 1
200 2
200 3
200 4
200 5
200 6
at most 2 at once
1 2 3 4 5 6
exit status 0
