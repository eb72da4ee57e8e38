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
    echo "fetchAll: ", caught(fn () => $statement->fetchAll()), "\n";
    foreach (['fetch', 'fetchColumn', 'fetchObject', 'closeCursor', 'nextRowset'] as $method) {
        echo "$method: ", explode(';', caught(fn () => $statement->$method()))[0], "\n";
    }
    echo 'foreach: ', explode(';', caught(fn () => iterator_to_array($statement)))[0], "\n";
    $holder->commit();
    foreach ($all as $one) {
        echo Async\await($one), "\n";
    }
});
?>
--EXPECT--
-- pgsql
fetchAll: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
fetch: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
fetchColumn: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
fetchObject: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
closeCursor: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
nextRowset: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
foreach: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
2
nothing
PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
-- mysql
fetchAll: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
fetch: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
fetchColumn: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
fetchObject: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
closeCursor: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
nextRowset: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
foreach: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement
2
nothing
PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
