--TEST--
A client that goes away in the middle of a result and a transaction leaves nothing of them to the next one
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$server = new Server('
    $mysql = $_GET["db"] === "mysql";
    $pdo = new PDO(getenv($mysql ? "WEFT_TEST_MYSQL" : "WEFT_TEST_PGSQL"), $mysql ? "weft" : "laravel", null, [
        PDO::ATTR_EMULATE_PREPARES => false, PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
    ]);
    if ($_GET["do"] === "look") {
        $left = fn () => count(array_filter(Weft\Pool::stats(), fn (array $pool) => $pool["leased"] > 0));
        try {
            $seen = "table " . $pdo->query("select count(*) from only_mine")->fetchColumn();
        } catch (PDOException $e) {
            $seen = "no table";
        }
        echo $pdo->query("select 40 + 2")->fetchColumn(), ", $seen, in transaction ", json_encode($pdo->inTransaction()), ", pools with leases ", $left();
        return;
    }
    $pdo->exec("create temporary table only_mine (n int)");
    $pdo->beginTransaction();
    if ($mysql) {
        $pdo->setAttribute(PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, false);
    }
    $rows = $pdo->query($mysql ? "select seq from seq_1_to_10000" : "select generate_series(1, 100000)");
    foreach ($rows as $row) {
        echo str_repeat("x", 1000);
        flush();
        Async\delay(1);
    }
    fwrite(STDOUT, "never\n");
', ini: ['weft.pdo_acquire_timeout=100', 'error_reporting=24575']);
foreach (['pgsql', 'mysql'] as $db) {
    $clients = [];
    for ($i = 0; $i < 32; $i++) {
        $clients[] = $client = $server->connect()->send("GET /?do=rows&db=$db HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    // as many as the pool has connections can have begun; the others wait for one
    $clients[0]->head();
    $clients[0]->chunk();
    foreach ($clients as $client) {
        $client->close();
    }
    for ($i = 0; $i < 100 && !str_ends_with($answer = $server->get("/?do=look&db=$db"), 'leases 0'); $i++) {
        usleep(50_000);
    }
    echo "$db $answer\n";
}
echo $server->stop();
?>
--EXPECT--
pgsql 200 42, no table, in transaction false, pools with leases 0
mysql 200 42, no table, in transaction false, pools with leases 0
exit status 0
