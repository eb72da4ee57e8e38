--TEST--
A transaction that a coroutine has left open is its request's: another one goes on with it, and nobody of that request waits for another connection
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=2
weft.pdo_acquire_timeout=1
error_log=/dev/null
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) {
    $begun = 0;
    $requests = at_once(2, function () use ($server, &$begun) {
        $pdo = $server->open();
        $begins = function () use ($pdo, $server) {
            $pdo->beginTransaction();

            return $pdo->query($server->pid)->fetchColumn();
        };
        $pid = Async\await(Async\spawn($begins));
        $begun++;
        until(fn () => $begun === 2);
        // both connections are kept, and a sibling goes on that has nothing to do with them
        $done = false;
        $sibling = Async\spawn(function () use (&$done) {
            while (!$done) {
                Async\delay(5);
            }
        });
        $other = $server->open();
        $seen = caught(fn () => $other->query('select 1')->fetchAll());
        $same = $pdo->query($server->pid)->fetchColumn() === $pid && $pdo->inTransaction();
        $done = true;
        Async\await($sibling);

        return "another connection: $seen, the transaction: " . ($same ? 'goes on' : 'is lost');
    });
    echo implode("\n", array_unique($requests)), "\n";

    // with the object it ends at once
    echo 'without the object: ', at_once(1, function () use ($server) {
        Async\await(Async\spawn(function () use ($server) {
            $pdo = $server->open();
            $pdo->beginTransaction();
            $pdo->query('select 1')->fetchAll();
        }));

        return array_sum(array_column(Weft\Pool::stats(), 'leased'));
    })[0], " leased\n";
});
?>
--EXPECT--
-- pgsql
another connection: nothing, the transaction: goes on
without the object: 0 leased
-- mysql
another connection: nothing, the transaction: goes on
without the object: 0 leased
