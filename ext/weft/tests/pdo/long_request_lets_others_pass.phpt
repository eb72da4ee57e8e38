--TEST--
A request that asks for connections without an end is ahead of younger ones for a hundred turns and half of weft.pdo_acquire_timeout, no longer
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=1
weft.pdo_acquire_timeout=4
--FILE--
<?php
require __DIR__ . '/servers.inc';

use function Async\await;
use function Async\spawn;

/** Four coroutines of one request that execute this without an end, until a younger request has had its turn. */
function beside(DatabaseServer $server, string $sql): void
{
    $elder = new ArrayObject(['statements' => 0, 'over' => false]);
    $asks = fn () => spawn(function () use ($server, $sql, $elder) {
        $pdo = $server->open();
        while (!$elder['over']) {
            $pdo->query($sql)->fetchAll();
            $elder['statements']++;
        }
    });
    $endless = spawn(fn () => Weft\Isolation\run(fn () => array_map(static fn ($one) => await($one), [$asks(), $asks(), $asks(), $asks()])));
    until(fn () => array_sum(array_column(Weft\Pool::stats(), 'waiting')) === 3);
    $before = $elder['statements'];
    $younger = spawn(fn () => Weft\Isolation\run(fn () => caught(fn () => $server->open()->query('select 1')->fetchAll())));
    echo 'an error of the younger one: ', await($younger), "\n";
    echo 'passed by: ', $elder['statements'] - $before <= 110 ? 'a hundred at most' : $elder['statements'], "\n";
    $elder['over'] = true;
    await($endless);
}

Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) {
    beside($server, 'select 1');
    beside($server, $server->sleep(0.1));
});
?>
--EXPECT--
-- pgsql
an error of the younger one: nothing
passed by: a hundred at most
an error of the younger one: nothing
passed by: a hundred at most
-- mysql
an error of the younger one: nothing
passed by: a hundred at most
an error of the younger one: nothing
passed by: a hundred at most
