--TEST--
Who asks for the names of columns takes no result from the request that has his statement's connection now
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=2
--FILE--
<?php
require __DIR__ . '/servers.inc';

on_each_server(function (DatabaseServer $server) {
    $turn = 0;
    $until = function (int $number) use (&$turn): void {
        while ($turn < $number) {
            Async\delay(1);
        }
    };
    $asker = Async\spawn(function () use ($server, $until, &$turn) {
        $pdo = $server->open();
        $statement = $pdo->query('select 1 as one');
        $statement->fetchAll();
        $turn = 1;
        $until(2);
        $pdo->beginTransaction();
        $pdo->query('select 2')->fetchAll();
        $turn = 3;
        return $statement->getColumnMeta(0)['name'];
    });
    $other = Async\spawn(function () use ($server, $until, &$turn) {
        $until(1);
        $pdo = $server->open();
        $pdo->beginTransaction();
        $turn = 2;
        $until(3);
        $rows = $pdo->query('select 7 as seven from (' . $server->sleep(0.2) . ') as slept')->fetchAll(PDO::FETCH_COLUMN);
        $pdo->commit();
        return $rows;
    });
    echo json_encode(Async\await($other)), ' ', Async\await($asker), "\n";

    // a connection that was closed meanwhile
    $pdo = $server->open();
    $statement = $pdo->query('select 1 as one');
    Weft\Pool::closeIdle();
    echo $statement->getColumnMeta(0)['name'], ' ', $statement->fetchColumn(), "\n";
});
?>
--EXPECT--
-- pgsql
[7] one
one 1
-- mysql
[7] one
one 1
