--TEST--
Ids that others have inserted on a connection are nobody else's, and its own follow a request
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

$server = servers()[1];
$server->observer()->exec(
    'create or replace table weft_ids (id int auto_increment primary key, x int); create or replace procedure weft_insert() insert into weft_ids (x) values (2)',
);
$insert = fn (PDO $pdo) => $pdo->exec('insert into weft_ids (x) values (1)');
$asked = fn (PDO $pdo) => $pdo->query('select last_insert_id()')->fetchColumn();

// one after the other, on one connection
at_once(1, fn () => $insert($server->open()));
at_once(1, function () use ($server, $asked) {
    $pdo = $server->open();
    caught(fn () => $pdo->exec('insert into weft_ids (id) values (1)'));
    echo 'after a failure: ', $pdo->lastInsertId(), ', ', $asked($pdo), "\n";
});
at_once(1, fn () => $insert($server->open()));
at_once(1, function () use ($server) {
    $pdo = $server->open();
    $pdo->exec('set @id = last_insert_id()');
    echo 'to a variable: ', $pdo->query('select @id')->fetchColumn(), "\n";
});
at_once(1, fn () => $insert($server->open()));
at_once(1, function () use ($server, $asked) {
    $pdo = $server->open();
    $pdo->exec('call weft_insert()');
    $id = $pdo->query('select max(id) from weft_ids')->fetchColumn();
    echo 'by a procedure: ', $asked($pdo) === $id ? 'its own' : 'another', "\n";
});
at_once(1, function () use ($server, $insert) {
    $pdo = $server->open();
    $insert($pdo);
    $pdo->beginTransaction();
    $pdo->commit();
    echo 'after a transaction: ', $pdo->lastInsertId(), "\n";
});

// on two connections in turn
at_once(1, function () use ($server, $insert, $asked) {
    [$pdo, $other] = [$server->open(), $server->open()];
    $insert($pdo);
    $first = $pdo->query($server->pid)->fetchColumn();
    $other->beginTransaction();
    $insert($pdo);
    $id = $pdo->lastInsertId();
    $second = $pdo->query($server->pid)->fetchColumn();
    $pdo->beginTransaction();
    $other->commit();
    $other->beginTransaction();
    $pdo->commit();
    $third = $pdo->query($server->pid)->fetchColumn();
    $other->commit();
    $other->beginTransaction();
    echo 'connections: ', $first === $second ? 'one' : 'two', "\n";
    echo 'on one: ', $asked($pdo) === (int) $id ? 'the last' : 'an earlier', "\n";
    $pdo->beginTransaction();
    $other->commit();
    $other->beginTransaction();
    $pdo->commit();
    $other->commit();
    $pdo->query('select 1')->fetchAll();
    echo 'on the other: ', $asked($pdo) === (int) $id ? 'the last' : 'an earlier', "\n";
});
$server->observer()->exec('drop table weft_ids; drop procedure weft_insert');
?>
--EXPECT--
after a failure: 0, 0
to a variable: 0
by a procedure: its own
after a transaction: 0
connections: two
on one: the last
on the other: the last
