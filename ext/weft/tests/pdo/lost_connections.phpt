--TEST--
A connection that the server has ended: noticed when it is handed out; in a transaction the request hears of it, nobody else
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=2
weft.pdo_acquire_timeout=60
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) {
    $observer = $server->observer();
    $kill = function (int|string $pid) use ($observer, $server) {
        $observer->exec($server->isMySql() ? "kill $pid" : "do 'begin perform pg_terminate_backend($pid); end'");
        Async\delay(150);
    };
    $pid = fn (PDO $pdo) => $pdo->query($server->pid)->fetchColumn();

    [$first] = at_once(1, fn () => $pid($server->open()));
    $kill($first);
    [$second] = at_once(1, fn () => $pid($server->open()));
    echo 'ended while idle: ', $first !== $second ? 'another' : 'the same', "\n";

    [$report] = at_once(1, function () use ($server, $kill, $pid) {
        $pdo = $server->open();
        $pdo->beginTransaction();
        $mine = $pid($pdo);
        $kill($mine);
        $lost = caught(fn () => $pdo->query('select 1'));
        $then = caught(fn () => $pdo->exec('create table weft_outside (n int)'));
        $inside = $pdo->inTransaction();
        $rollback = caught(fn () => $pdo->rollBack());
        return [str_contains($lost, 'PDOException') ? 'heard of it' : $lost, $then, $inside, $rollback, $pdo->inTransaction(), $pid($pdo) !== $mine];
    });
    echo json_encode($report, JSON_UNESCAPED_SLASHES | JSON_PRETTY_PRINT), "\n";

    // cancelled in the middle of a query: its answer must not reach anybody else
    $sleeper = Async\spawn(fn () => Weft\Isolation\run(fn () => $server->open()->query($server->sleep(0.4))->fetchAll()));
    Async\delay(100);
    $sleeper->cancel();
    try {
        Async\await($sleeper);
    } catch (Throwable $e) {
        echo 'cancelled: ', $e::class, "\n";
    }
    $answers = at_once(8, function (int $i) use ($server) {
        $statement = $server->open()->prepare($server->isMySql() ? 'select ?' : 'select ?::int');
        $statement->execute([$i]);
        return (int) $statement->fetchColumn();
    });
    echo 'answers afterwards: ', implode(',', $answers), "\n";

    // the pool is whole: all of its connections can be had
    $pids = at_once(2, function () use ($server, $pid) {
        $pdo = $server->open();
        $pdo->beginTransaction();
        $mine = $pid($pdo);
        Async\delay(100);
        $pdo->commit();
        return $mine;
    });
    echo 'connections: ', count(array_unique($pids)), "\n";
});
?>
--EXPECT--
-- pgsql
ended while idle: another
[
    "heard of it",
    "PDOException: SQLSTATE[08006]: No connection to the server: it was lost in the middle of a transaction; roll back",
    true,
    "PDOException: SQLSTATE[08006]: No connection to the server: it was lost in the middle of this transaction",
    false,
    true
]
cancelled: Async\AsyncCancellation
answers afterwards: 0,1,2,3,4,5,6,7
connections: 2
-- mysql
ended while idle: another
[
    "heard of it",
    "PDOException: SQLSTATE[08006]: No connection to the server: it was lost in the middle of a transaction; roll back",
    true,
    "PDOException: SQLSTATE[08006]: No connection to the server: it was lost in the middle of this transaction",
    false,
    true
]
cancelled: Async\AsyncCancellation
answers afterwards: 0,1,2,3,4,5,6,7
connections: 2
