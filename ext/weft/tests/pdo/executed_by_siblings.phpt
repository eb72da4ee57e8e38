--TEST--
A statement that waits for a connection to be executed on is not taken by a sibling meanwhile
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
    $pdo = $server->open();
    $statement = $pdo->prepare('select ? + 0 as x');
    $statement->execute([1]);
    $statement->fetchAll();
    $holder = $server->open();
    $holder->beginTransaction();
    $all = [];
    foreach ([2, 3] as $value) {
        $all[] = Async\spawn(function () use ($statement, $value): string {
            return caught(function () use ($statement, $value) {
                $statement->execute([$value]);
                echo (int) $statement->fetchColumn(), "\n";
            });
        });
    }
    Async\delay(20);
    echo caught(fn () => $statement->fetchAll()), "\n";
    $holder->commit();
    foreach ($all as $one) {
        echo Async\await($one), "\n";
    }
});
?>
--EXPECT--
-- pgsql
PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
2
nothing
PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
-- mysql
PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
2
nothing
PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
