--TEST--
Who lets go of a PDO in the middle of a transaction takes no rows from those who had its connection before
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

on_each_server(function (DatabaseServer $server) {
    $turn = 0;
    $until = function (int $number) use (&$turn): void {
        while ($turn < $number) {
            Async\delay(1);
        }
    };
    $reader = Async\spawn(function () use ($server, $until, &$turn) {
        $pdo = $server->open();
        $statement = $pdo->query('select 1 union all select 2 union all select 3');
        $rows = [$statement->fetchColumn()];
        $connection = $pdo->query($server->pid)->fetchColumn();
        $turn = 1;
        $until(2);
        while (($row = $statement->fetchColumn()) !== false) {
            $rows[] = $row;
        }
        return [implode(', ', $rows), $connection];
    });
    $other = Async\spawn(function () use ($server, $until, &$turn) {
        $until(1);
        $pdo = $server->open();
        $pdo->beginTransaction();
        $connection = $pdo->query($server->pid)->fetchColumn();
        $pdo = null;
        $turn = 2;
        return $connection;
    });
    [$rows, $connection] = Async\await($reader);
    echo $rows, $connection === Async\await($other) ? ' while the connection was lent' : ' from another connection', "\n";
});
?>
--EXPECT--
-- pgsql
1, 2, 3 while the connection was lent
-- mysql
1, 2, 3 while the connection was lent
