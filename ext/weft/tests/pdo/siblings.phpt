--TEST--
Siblings on one PDO object run in parallel, each with a connection; a child of a transaction joins it
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/servers.inc';

use function Async\await;
use function Async\spawn;

on_each_server(function (DatabaseServer $server) {
    $pdo = $server->open();
    $pid = fn () => $pdo->query($server->pid)->fetchColumn();
    $slowly = function () use ($pdo, $server) {
        $pdo->query($server->sleep(0.05))->fetchAll();
        return $pdo->query($server->pid)->fetchColumn();
    };

    $order = [];
    $long = spawn(function () use ($pdo, $server, &$order) { $pdo->query($server->sleep(0.3))->fetchAll(); $order[] = 'long'; });
    $short = spawn(function () use ($pdo, $server, &$order) { $pdo->query($server->sleep(0.05))->fetchAll(); $order[] = 'short'; });
    await($long);
    await($short);
    echo 'the short one passes the long one: ', implode(', ', $order), "\n";

    $pdo->beginTransaction();
    $mine = $pid();
    $children = [spawn($slowly), spawn($slowly), spawn(fn () => await(spawn($slowly)))];
    $theirs = array_map(fn ($child) => await($child), $children);
    echo 'children of the transaction: ', count(array_unique([$mine, ...$theirs])), " connection\n";
    $pdo->commit();

    $before = spawn(function () use ($pid) { Async\delay(50); return $pid(); });
    $pdo->beginTransaction();
    $mine = $pid();
    echo 'spawned before it: ', await($before) === $mine ? 'the same' : 'another', "\n";
    $pdo->rollBack();

    await(spawn(fn () => $pdo->beginTransaction()));
    echo 'a transaction that its coroutine has left open: ', var_export($pdo->inTransaction(), true), "\n";
    $pdo->commit();
    echo 'then: ', var_export($pdo->inTransaction(), true), "\n";

    $statement = $pdo->prepare($server->isMySql() ? 'select sleep(0.2)' : 'select pg_sleep(0.2)');
    $first = spawn(fn () => $statement->execute());
    Async\delay(20);
    echo 'one statement, two coroutines: ', caught(fn () => $statement->execute()), "\n";
    await($first);
});
?>
--EXPECT--
-- pgsql
the short one passes the long one: short, long
children of the transaction: 1 connection
spawned before it: another
a transaction that its coroutine has left open: true
then: false
one statement, two coroutines: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
-- mysql
the short one passes the long one: short, long
children of the transaction: 1 connection
spawned before it: another
a transaction that its coroutine has left open: true
then: false
one statement, two coroutines: PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
