--TEST--
Whoever keeps a connection and needs another never waits for himself: not in a script, not with children, not in a circle of requests
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=2
weft.pdo_acquire_timeout=30
--FILE--
<?php
require __DIR__ . '/servers.inc';

use function Async\await;
use function Async\spawn;

function sizes(): string
{
    $pools = Weft\Pool::stats();

    return implode(' ', array_map(fn ($pool) => $pool['size'] <= 2 && $pool['leased'] === 0 && $pool['waiting'] === 0 ? 'whole' : json_encode($pool), $pools));
}

/** As many PDO objects, each in a transaction, one after the other. */
function transactions(DatabaseServer $server, int $count): string
{
    $objects = [];
    try {
        for ($i = 0; $i < $count; $i++) {
            $objects[$i] = $server->open();
            $objects[$i]->beginTransaction();
            $objects[$i]->query('select 1')->fetchAll();
        }
    } catch (PDOException $e) {
        return count($objects) . ' ' . $e->getMessage();
    }

    return count(array_unique(array_map(fn (PDO $pdo) => $pdo->query($server->pid)->fetchColumn(), $objects))) . ' at once';
}

/** Something that keeps the connection until the request ends. */
function touch_session(DatabaseServer $server, PDO $pdo): void
{
    $pdo->query($server->isMySql() ? 'select @kept := 1' : "select set_config('weft.kept', '1', false)")->fetchAll();
}

// the main script, which is no request
on_each_server(function (DatabaseServer $server) {
    echo 'a script: ', transactions($server, 12), "\n";
    $pdo = $server->open();
    $statement = $server->open()->query('select 1 as one');
    $pdo->beginTransaction();
    echo 'a name that the server is asked for: ', caught(fn () => $statement->getColumnMeta(0)), "\n";
    $pdo = $statement = null;
    gc_collect_cycles();
    echo sizes(), "\n";
});

Weft\Isolation\snapshot();
Weft\Pool::closeIdle();
on_each_server(function (DatabaseServer $server) {
    echo 'a request: ', transactions($server, 12), "\n";
    echo 'in domains: ', implode(', ', array_unique(at_once(3, fn () => transactions($server, 5)))), "\n";

    // each keeps one until all have one, or wait for it
    echo 'in a circle: ', implode(', ', array_unique(at_once(40, fn () => caught(function () use ($server) {
        $first = $server->open();
        $second = $server->open();
        $first->beginTransaction();
        $first->query('select 1')->fetchAll();
        Async\delay(20);
        $second->query('select 2')->fetchAll();
        $second->beginTransaction();
        $second->query($server->sleep(0.002))->fetchAll();
        $second->commit();
        $first->commit();
    })))), "\n";
    echo 'in a circle of two pools: ', implode(', ', array_unique(at_once(10, fn (int $i) => caught(function () use ($server, $i) {
        $pools = [$server->open(), $server->open([PDO::ATTR_TIMEOUT => 77])];
        $first = $pools[$i % 2];
        $second = $pools[1 - $i % 2];
        $first->beginTransaction();
        $first->query('select 1')->fetchAll();
        Async\delay(20);
        $second->beginTransaction();
        $second->query('select 2')->fetchAll();
        $second->commit();
        $first->commit();
    })))), "\n";

    // the children need connections while their parent, who keeps one, waits for them
    echo 'with children: ', implode(', ', array_unique(at_once(6, fn () => caught(function () use ($server) {
        $pdo = $server->open();
        touch_session($server, $pdo);
        $children = [];
        for ($i = 0; $i < 7; $i++) {
            $children[] = spawn(function () use ($server, $pdo, $i) {
                Async\delay($i % 3);
                ($i % 2 ? $pdo : $server->open())->query($server->sleep(0.002))->fetchAll();
            });
        }
        Async\delay(5);
        foreach ($children as $child) {
            await($child);
        }
    })))), "\n";
    // only then does it keep one
    echo 'keeps one later: ', implode(', ', array_unique(at_once(2, fn () => caught(function () use ($server) {
        $pdo = $server->open();
        $child = null;
        $other = spawn(function () use ($server, &$child) {
            $pdo = $server->open();
            touch_session($server, $pdo);
            Async\delay(30);
            await($child);
        });
        $child = spawn(function () use ($server) {
            Async\delay(10);
            $server->open()->query('select 1')->fetchAll();
        });
        await($other);
    })))), "\n";
    echo sizes(), "\n";
});

// a request that keeps one does not open one for each of its children
on_each_server(function (DatabaseServer $server) {
    Weft\Pool::closeIdle();
    $most = 0;
    $watch = spawn(function () use (&$most) {
        for (;;) {
            $most = max($most, ...array_column(Weft\Pool::stats(), 'size'));
            Async\delay(1);
        }
    });
    at_once(1, function () use ($server) {
        $pdo = $server->open();
        touch_session($server, $pdo);
        $children = [];
        for ($i = 0; $i < 30; $i++) {
            $children[] = spawn(fn () => $pdo->query($server->sleep(0.005))->fetchAll());
        }
        foreach ($children as $child) {
            await($child);
        }
    });
    $watch->cancel();
    echo "at most $most connections\n";
});
?>
--EXPECT--
-- pgsql
a script: 12 at once
a name that the server is asked for: nothing
whole
-- mysql
a script: 12 at once
a name that the server is asked for: nothing
whole whole
-- pgsql
a request: 12 at once
in domains: 5 at once
in a circle: nothing
in a circle of two pools: nothing
with children: nothing
keeps one later: nothing
whole whole whole
-- mysql
a request: 12 at once
in domains: 5 at once
in a circle: nothing
in a circle of two pools: nothing
with children: nothing
keeps one later: nothing
whole whole whole whole
-- pgsql
at most 2 connections
-- mysql
at most 2 connections
