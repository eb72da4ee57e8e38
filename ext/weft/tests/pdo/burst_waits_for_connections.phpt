--TEST--
In a burst no more than 256 requests begin that wait for a connection, however many may run; the others begin as connections come back
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$go = tempnam(sys_get_temp_dir(), 'weft-test-');
$begun = tempnam(sys_get_temp_dir(), 'weft-test-');
unlink($go);
$server = new Server('
    file_put_contents("' . $begun . '", ".", FILE_APPEND);
    $pdo = new PDO(getenv("WEFT_TEST_PGSQL"), null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    $pdo->beginTransaction();
    for (; !file_exists("' . $go . '"); clearstatcache()) {
        Async\delay(5);
    }
    echo $pdo->query("select 1")->fetchColumn();
    $pdo->commit();
', [], ['weft.pdo_pool_max=1', 'weft.pdo_acquire_timeout=60']);
$clients = [];
for ($n = 0; $n < 330; $n++) {
    $clients[] = $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
}
for ($before = -1; $before !== ($count = filesize($begun)) && $count < 300; clearstatcache()) {
    $before = $count;
    usleep(200_000);
}
echo $count >= 250 && $count < 300 ? "some have begun\n" : "$count have begun\n"; // one more each 250 ms
touch($go);
$lines = array_count_values(array_map(static fn (Client $client): string => $client->response()->line(), $clients));
echo $lines['200 1'], " responses\n";
array_map('unlink', [$go, $begun]);
echo $server->stop();
?>
--EXPECT--
some have begun
330 responses
exit status 0
