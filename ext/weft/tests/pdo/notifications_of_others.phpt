--TEST--
What PostgreSQL has notified a request of, and it has not asked for, goes with it
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=1
--FILE--
<?php
require __DIR__ . '/servers.inc';

[$server] = servers();
$first = at_once(1, function () use ($server) {
    $pdo = $server->open();
    $pdo->exec('listen weft_one');
    $pdo->exec("notify weft_one, 'for the first alone'");
    return $pdo->query($server->pid)->fetchColumn();
})[0];
at_once(1, function () use ($server, $first) {
    $pdo = $server->open();
    $pdo->exec('listen weft_two');
    echo $pdo->query($server->pid)->fetchColumn() === $first ? "the same connection\n" : "another connection\n";
    var_dump($pdo->pgsqlGetNotify(PDO::FETCH_NUM));
    $pdo->exec("notify weft_two, 'for the second'");
    echo $pdo->pgsqlGetNotify(PDO::FETCH_NUM)[2], "\n";
});
?>
--EXPECT--
the same connection
bool(false)
for the second
