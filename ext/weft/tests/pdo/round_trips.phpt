--TEST--
Round trips: a repeated statement takes one, a known setting none, a transaction of one statement three
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
require __DIR__ . '/wire.inc';

on_each_server(function (DatabaseServer $server) {
    $wire = new Wire((string) getenv($server->isMySql() ? 'WEFT_TEST_MYSQL' : 'WEFT_TEST_PGSQL'));
    $open = fn (array $options = []) => new PDO($wire->dsn(), $server->isMySql() ? 'weft' : null, null, $options + [PDO::ATTR_EMULATE_PREPARES => false]);
    $count = function (Closure $work) use ($wire) {
        Async\delay(2);
        $before = $wire->roundTrips;
        $work();
        Async\delay(2);
        return $wire->roundTrips - $before;
    };
    $find = function (PDO $pdo, int $n, array $options = []) use ($server) {
        $statement = $pdo->prepare($server->isMySql() ? 'select ? + 1' : 'select ?::int + 1', $options);
        $statement->execute([$n]);
        return $statement->fetchAll();
    };
    $server->observer()->exec('create table if not exists weft_round_trips (n int)');
    $pdo = $open();
    $find($pdo, 1);
    echo 'a repeated statement: ', $count(fn () => $find($pdo, 2)), ', ten: ', $count(function () use ($find, $pdo) {
        for ($i = 0; $i < 10; $i++) {
            $find($pdo, $i);
        }
    }), "\n";
    echo 'of another object: ', $count(fn () => $find($open(), 3)), "\n";
    $statement = $pdo->prepare('select 1');
    $statement->execute();
    echo 'executed again: ', $count(fn () => $statement->execute()), "\n";
    echo 'a query: ', $count(fn () => $pdo->query('select 1')->fetchAll()), "\n";
    echo 'a transaction: ', $count(function () use ($open, $find) {
        $pdo = $open();
        $pdo->beginTransaction();
        $pdo->exec('delete from weft_round_trips');
        $pdo->commit();
    }), "\n";
    $set = $server->isMySql() ? "set session sql_mode='ANSI_QUOTES'" : "set time zone 'UTC'";
    $request = function () use ($open, $set, $find) {
        $pdo = $open();
        $pdo->prepare($set)->execute();
        return $pdo;
    };
    $find($request(), 1);
    unset($pdo, $statement);
    echo 'a known setting: ', $count(fn () => $request()), ', and a statement ', $count(fn () => $find($request(), 2)), "\n";
    echo 'a new object: ', $count(fn () => $open()), "\n";
    $emulated = $open([PDO::ATTR_EMULATE_PREPARES => true]);
    $find($emulated, 1);
    echo 'emulated: ', $count(fn () => $find($emulated, 2)), "\n";
    $server->observer()->exec('drop table weft_round_trips');
});
exit;
?>
--EXPECT--
-- pgsql
a repeated statement: 1, ten: 10
of another object: 1
executed again: 1
a query: 2
a transaction: 3
a known setting: 0, and a statement 1
a new object: 0
emulated: 1
-- mysql
a repeated statement: 1, ten: 10
of another object: 1
executed again: 1
a query: 2
a transaction: 3
a known setting: 0, and a statement 1
a new object: 0
emulated: 1
