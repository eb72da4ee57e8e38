--TEST--
weft.pdo_lease=request keeps a connection from the first statement to the end of the request, and what it knows with it
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_lease=request
weft.pdo_pool_max=4
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) {
    foreach ([1, 32] as $count) {
        $seen = at_once($count, function () use ($server) {
            $pdo = $server->open();
            $pids = [];
            for ($i = 0; $i < 4; $i++) {
                $pids[] = $pdo->query($server->pid)->fetchColumn();
                Async\delay(1);
            }
            return count(array_unique($pids));
        });
        echo "$count: connections each ", implode(', ', array_unique($seen)), "\n";
    }
    if ($server->isMySql()) {
        echo 'warnings: ', json_encode(array_unique(at_once(32, function (int $i) use ($server) {
            $pdo = $server->open();
            $pdo->query("select 1 / 0 + $i")->fetchAll();
            Async\delay(1);
            return $pdo->query('show warnings')->fetchColumn(2);
        }))), "\n";
    }
    foreach (Weft\Pool::stats() as $pool) {
        if ($pool['leased'] || $pool['waiting'] || $pool['size'] > 4) {
            echo 'LEFT ', json_encode($pool), "\n";
        }
    }
});
?>
--EXPECT--
-- pgsql
1: connections each 1
32: connections each 1
-- mysql
1: connections each 1
32: connections each 1
warnings: ["Division by 0"]
