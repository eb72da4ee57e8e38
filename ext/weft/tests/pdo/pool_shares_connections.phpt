--TEST--
Many domains share a few connections; a transaction keeps one, and nobody sees another's rows before the commit
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=4
weft.pdo_acquire_timeout=60
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) {
    $observer = $server->observer();
    $observer->exec('drop table if exists weft_pool');
    $observer->exec('create table weft_pool (n int, who int)');
    foreach ([1, 32] as $count) {
        $results = at_once($count, function (int $i) use ($server, $count) {
            $pdo = $server->open();
            $pids = [];
            $pdo->beginTransaction();
            $insert = $pdo->prepare('insert into weft_pool values (?, ?)');
            for ($n = 0; $n < 3; $n++) {
                $insert->execute([$n, $count * 100 + $i]);
                $pids[] = $pdo->query($server->pid)->fetchColumn();
                $pdo->query($server->sleep(0.001))->fetchAll();
            }
            $mine = $pdo->prepare('select count(*) from weft_pool where who = ?');
            $mine->execute([$count * 100 + $i]);
            $all = $pdo->query('select count(distinct who) from weft_pool')->fetchColumn();
            $seen = $mine->fetchColumn();
            $i % 2 ? $pdo->rollBack() : $pdo->commit();
            return [count(array_unique($pids)), (int) $seen, $pdo->inTransaction(), $pids[0]];
        });
        echo "$count: connections each ", implode(',', array_unique(array_column($results, 0))),
            ', own rows ', implode(',', array_unique(array_column($results, 1))),
            ', in a transaction afterwards ', implode(',', array_unique(array_map('intval', array_column($results, 2)))),
            ', in all ', count(array_unique(array_column($results, 3))), "\n";
    }
    echo 'rows: ', $observer->query('select count(*) from weft_pool')->fetchColumn(), "\n";
    $observer->exec('drop table weft_pool');
});
?>
--EXPECT--
-- pgsql
1: connections each 1, own rows 3, in a transaction afterwards 0, in all 1
32: connections each 1, own rows 3, in a transaction afterwards 0, in all 4
rows: 51
-- mysql
1: connections each 1, own rows 3, in a transaction afterwards 0, in all 1
32: connections each 1, own rows 3, in a transaction afterwards 0, in all 4
rows: 51
