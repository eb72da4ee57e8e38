--TEST--
Who is cancelled while the pool asks the server how many connections it takes ends so; the connection is closed, and the next one asks
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=auto
--FILE--
<?php
require __DIR__ . '/servers.inc';
require __DIR__ . '/wire.inc';

$wires = ['pgsql' => new Wire((string) getenv('WEFT_TEST_PGSQL')), 'mysql' => new Wire((string) getenv('WEFT_TEST_MYSQL'))];
Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) use ($wires) {
    $wire = $wires[$server->name];
    $open = fn () => new PDO($wire->dsn(), $server->isMySql() ? 'weft' : null, null, [PDO::ATTR_EMULATE_PREPARES => false]);
    $asks = $server->isMySql() ? 'max_connections' : 'SHOW max_connections';
    $first = $open();
    $first->beginTransaction();

    $wire->holds = $asks;
    $second = Async\spawn(fn () => Weft\Isolation\run(fn () => $open()->query('select 2')->fetchColumn()));
    while ($wire->held === 0) {
        Async\delay(1);
    }
    $second->cancel();
    try {
        Async\await($second);
        echo "answered\n";
    } catch (Async\AsyncCancellation) {
        echo "cancelled\n";
    }
    echo json_encode(pool_of($wire->dsn())), "\n";

    $wire->holds = null;
    $wire->held = 0;
    $wire->watches = $asks;
    echo 'answered: ', Async\await(Async\spawn(fn () => Weft\Isolation\run(fn () => $open()->query('select 2')->fetchColumn()))), "\n";
    echo 'asked: ', $wire->watched, "\n";
    $first->rollBack();
    echo json_encode(pool_of($wire->dsn())), "\n";
});
exit;
?>
--EXPECT--
-- pgsql
cancelled
{"size":1,"leased":1,"waiting":0}
answered: 2
asked: 1
{"size":2,"leased":0,"waiting":0}
-- mysql
cancelled
{"size":1,"leased":1,"waiting":0}
answered: 2
asked: 1
{"size":2,"leased":0,"waiting":0}
