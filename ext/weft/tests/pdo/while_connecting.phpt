--TEST--
A server that refuses or is silent: an error for each request and not a wait for ever, slots are counted right, a cancelled request gives its own back
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=3
weft.pdo_acquire_timeout=20
--FILE--
<?php
require __DIR__ . '/servers.inc';
require __DIR__ . '/wire.inc';

$wires = ['pgsql' => new Wire((string) getenv('WEFT_TEST_PGSQL')), 'mysql' => new Wire((string) getenv('WEFT_TEST_MYSQL'))];
Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) use ($wires) {
    $wire = $wires[$server->name];
    $open = fn () => new PDO($wire->dsn(), $server->isMySql() ? 'weft' : null, null, [PDO::ATTR_EMULATE_PREPARES => false, PDO::ATTR_TIMEOUT => 60]);
    $request = fn () => preg_replace('/:.*/s', '', caught(fn () => $open()->query('select 1')->fetchAll()));
    $transaction = fn () => caught(function () use ($open) {
        $pdo = $open();
        $pdo->beginTransaction();
        Async\delay(1);
        $pdo->commit();
    });

    $wire->does = Wire::REFUSES;
    foreach ([1, 32] as $count) {
        echo "refuses from the start, $count: ", implode(', ', array_unique(at_once($count, $request))), ' ', json_encode(pool_of($wire->dsn())), "\n";
    }
    $wire->does = Wire::FORWARDS;
    echo 'answers then: ', implode(', ', array_unique(at_once(32, $transaction))), ' ', json_encode(pool_of($wire->dsn())), "\n";

    $wire->cut();
    Async\delay(20);
    $wire->does = Wire::REFUSES;
    foreach ([1, 32] as $count) {
        echo "refuses later, $count: ", implode(', ', array_unique(at_once($count, $request))), ' ', json_encode(pool_of($wire->dsn())), "\n";
    }

    // all slots are taken by requests that connect; one that is cancelled gives its slot to the next in the line
    $wire->does = Wire::IS_SILENT;
    $before = $wire->opened;
    $coroutines = [];
    for ($i = 0; $i < 5; $i++) {
        $coroutines[] = Async\spawn(fn () => Weft\Isolation\run($request));
        Async\delay(1);
    }
    while ($wire->opened < $before + 3) {
        Async\delay(5);
    }
    echo 'is silent: ', json_encode(pool_of($wire->dsn())), "\n";
    $wire->does = Wire::FORWARDS;
    array_map(fn ($coroutine) => $coroutine->cancel(), array_slice($coroutines, 0, 3));
    foreach ($coroutines as $i => $coroutine) {
        try {
            echo $i, ': ', Async\await($coroutine) === 'nothing' ? 'answered' : 'ended', "\n";
        } catch (Async\AsyncCancellation) {
            echo "$i: ended\n";
        }
    }

    // who was the first in the line and connects now keeps nobody behind him from what becomes free
    $observer = $server->observer();
    $kill = fn (int|string $pid) => $observer->exec($server->isMySql() ? "kill $pid" : "do 'begin perform pg_terminate_backend($pid); end'");
    [$said, $heard] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $holders = [];
    for ($i = 0; $i < 3; $i++) {
        $holders[] = Async\spawn(fn () => Weft\Isolation\run(function () use ($open, $server, $kill, $i, $heard) {
            $pdo = $open();
            $pdo->beginTransaction();
            $pid = $pdo->query($server->pid)->fetchColumn();
            if ($i === 0) {
                Async\delay(50);
                $kill($pid);
            } else {
                fread($heard, 1);
            }
            return caught(fn () => $pdo->query('select 1')->fetchAll() && $pdo->rollBack()) === 'nothing' ? 'answered' : 'lost';
        }));
    }
    Async\delay(20);
    $first = Async\spawn(fn () => Weft\Isolation\run($request));
    Async\delay(1);
    $second = Async\spawn(fn () => Weft\Isolation\run($request));
    $wire->does = Wire::IS_SILENT;
    $before = $wire->opened;
    while ($wire->opened === $before) {
        Async\delay(5);
    }
    fwrite($said, 'x');
    echo 'the second: ', Async\await($second), "\n";
    fwrite($said, 'x');
    echo 'holders: ', implode(', ', array_map(Async\await(...), $holders)), "\n";
    $wire->does = Wire::FORWARDS;
    $first->cancel();
    try {
        Async\await($first);
    } catch (Async\AsyncCancellation) {
    }
    unset($observer);

    echo 'whole: ', implode(', ', array_unique(at_once(32, $transaction))), ' ', json_encode(pool_of($wire->dsn())), "\n";
});
exit;
?>
--EXPECT--
-- pgsql
refuses from the start, 1: PDOException {"size":0,"leased":0,"waiting":0}
refuses from the start, 32: PDOException {"size":0,"leased":0,"waiting":0}
answers then: nothing {"size":3,"leased":0,"waiting":0}
refuses later, 1: PDOException {"size":0,"leased":0,"waiting":0}
refuses later, 32: PDOException {"size":0,"leased":0,"waiting":0}
is silent: {"size":3,"leased":3,"waiting":2}
0: ended
1: ended
2: ended
3: answered
4: answered
the second: nothing
holders: lost, answered, answered
whole: nothing {"size":3,"leased":0,"waiting":0}
-- mysql
refuses from the start, 1: PDOException {"size":0,"leased":0,"waiting":0}
refuses from the start, 32: PDOException {"size":0,"leased":0,"waiting":0}
answers then: nothing {"size":3,"leased":0,"waiting":0}
refuses later, 1: PDOException {"size":0,"leased":0,"waiting":0}
refuses later, 32: PDOException {"size":0,"leased":0,"waiting":0}
is silent: {"size":3,"leased":3,"waiting":2}
0: ended
1: ended
2: ended
3: answered
4: answered
the second: nothing
holders: lost, answered, answered
whole: nothing {"size":3,"leased":0,"waiting":0}
