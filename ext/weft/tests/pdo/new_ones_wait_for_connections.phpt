--TEST--
Once a line stands, nobody begins while those that have begun wait for a connection; one begins all the same when it has not moved for a while
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

// more than an eighth of a second between two of these, and another new one begins as after a while
const HELD_FOR_MS = 20;

$go = tempnam(sys_get_temp_dir(), 'weft-test-');
$server = new Server('
    $n = $_GET["n"];
    if (isset($_GET["new"])) {
        fwrite(STDOUT, "$n begins\n");
        return;
    }
    $pdo = new PDO(getenv("WEFT_TEST_PGSQL"), null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    fwrite(STDOUT, "$n asks\n");
    $pdo->beginTransaction();
    $pdo->query("select 1");
    for (; !file_exists("' . $go . '"); clearstatcache()) {
        Async\delay(5);
    }
    Async\delay(' . HELD_FOR_MS . ');
    $pdo->commit();
    fwrite(STDOUT, "$n ends\n");
', ['concurrency' => 4], ['weft.pdo_pool_max=1', 'weft.http_ready=1', 'weft.http_queue_ms=60000', 'weft.pdo_acquire_timeout=60']);
$ask = fn (string $query): Client => $server->connect()->send("GET /?$query HTTP/1.1\r\nHost: a\r\n\r\n");

// the machine may stand still for a while in just that moment
for ($try = 1; $try <= 5; $try++) {
    unlink($go);
    $clients = [];
    for ($n = 1; $n <= 4; $n++) {
        $clients[] = $ask("n=$n");
        $server->line();
    }
    // more than the worker takes from the kernel's queue at once
    for ($n = 1; $n <= 12; $n++) {
        $clients[] = $ask('n=one&new');
    }
    // longer than a burst: from then on the queue is looked at as one that stands
    usleep(5_500_000);
    touch($go);
    $lines = '';
    for ($line = 0; $line < 16; $line++) {
        $lines .= $server->line();
    }
    foreach ($clients as $client) {
        $client->response();
    }
    $before = strstr($lines, "3 ends\n", true);
    if (substr_count($before, 'begins') === 1) {
        break;
    }
}
unlink($go);
echo $before, substr_count($lines, 'begins'), " begin in all\n", $server->stop();
?>
--EXPECT--
1 ends
one begins
2 ends
12 begin in all
exit status 0
