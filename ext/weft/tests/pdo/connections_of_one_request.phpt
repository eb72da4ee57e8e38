--TEST--
A request that keeps connections is told at once when it can't have more: by the pool at weft.pdo_request_max, else by the server
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
pcntl
--SKIPIF--
<?php require __DIR__ . '/private_servers.inc'; if ($missing = PrivateServer::missing()) die("skip $missing"); ?>
--INI--
weft.pdo_pool_max=2
weft.pdo_request_max=7
weft.pdo_acquire_timeout=100
error_log=/dev/null
--FILE--
<?php
require __DIR__ . '/servers.inc';
require __DIR__ . '/private_servers.inc';

use function Async\await;
use function Async\spawn;

$servers = [
    'pgsql' => [PrivateServer::postgres(['max_connections' => '10', 'superuser_reserved_connections' => '0', 'max_wal_senders' => '0']), 'select pg_sleep(0.005)', 10],
    'mysql' => [PrivateServer::mariadb(['--max-connections=10']), 'select sleep(0.005)', 10],
];
Weft\Isolation\snapshot();
foreach ($servers as $name => [$server, $sleep, $allowed]) {
    echo "-- $name\n";
    $keep = function (int $count) use ($server) {
        $objects = [];
        for ($i = 0; $i < $count; $i++) {
            $objects[$i] = $server->open();
            try {
                $objects[$i]->beginTransaction();
            } catch (PDOException $e) {
                return [$objects, count($objects) - 1 . ' and ' . preg_replace(
                    ['/port \d+/', '/port=\d+/', '/\d+\.\d s/'],
                    ['port P', 'port=P', 'T s'],
                    $e->getMessage(),
                ) . ' ' . json_encode($e->getCode())];
            }
        }

        return [$objects, "$count"];
    };
    echo at_once(1, fn () => $keep(9)[1])[0], "\n";

    // the server's limit is lower than that of the requests
    $results = at_once(3, function () use ($keep) {
        [$objects, $result] = $keep(7);
        Async\delay(50);

        return $result;
    });
    $results = preg_replace(['/^(\d+)( and .*keeps )\1 /s', '/HY000/'], ['some$2as many ', '08004'], $results);
    sort($results);
    foreach (array_unique(array_filter($results, fn (string $result) => $result !== '7')) as $result) {
        echo $result, "\n";
    }

    // the children of a request that keeps as many as it may take turns, as long as one of them has one
    echo implode(', ', array_unique(at_once(1, function () use ($server, $sleep) {
        $children = [];
        for ($i = 0; $i < 30; $i++) {
            $children[] = spawn(fn () => caught(function () use ($server, $sleep) {
                $pdo = $server->open();
                $pdo->beginTransaction();
                $pdo->query($sleep)->fetchAll();
                $pdo->commit();
            }));
        }

        return implode(', ', array_unique(array_map(fn ($child) => await($child), $children)));
    }))), "\n";
    // nobody can give one back
    echo at_once(1, function () use ($server, $keep) {
        [$objects] = $keep(7);

        return strtok(await(spawn(fn () => caught(fn () => $server->open()->query('select 1')))), '.');
    })[0], "\n";
    foreach (Weft\Pool::stats() as $pool) {
        if ($pool['leased'] !== 0 || $pool['waiting'] !== 0 || $pool['size'] > 2) {
            echo json_encode($pool), "\n";
        }
    }
}
?>
--EXPECT--
-- pgsql
7 and SQLSTATE[HYT00]: No connection is free, and this request, which keeps 7 (weft.pdo_request_max), can't wait for another. Pool pgsql:host=127.0.0.1;port=P;dbname=postgres as laravel: 7 connections (weft.pdo_pool_max), 0 waiting; leased for T s in a transaction, for T s in a transaction, for T s in a transaction, for T s in a transaction, for T s in a transaction, for T s in a transaction, for T s in a transaction. The log says to whom "HYT00"
some and SQLSTATE[08006] [7] connection to server at "127.0.0.1", port P failed: FATAL:  sorry, too many clients already (this request keeps as many connections, so it can't wait for another; see weft.pdo_request_max) 7
nothing
PDOException: SQLSTATE[HYT00]: No connection is free, and this request, which keeps 7 (weft
-- mysql
7 and SQLSTATE[HYT00]: No connection is free, and this request, which keeps 7 (weft.pdo_request_max), can't wait for another. Pool mysql:host=127.0.0.1;port=P;dbname=weft as weft: 7 connections (weft.pdo_pool_max), 0 waiting; leased for T s in a transaction, for T s in a transaction, for T s in a transaction, for T s in a transaction, for T s in a transaction, for T s in a transaction, for T s in a transaction. The log says to whom "HYT00"
some and SQLSTATE[08004] [1040] Too many connections (this request keeps as many connections, so it can't wait for another; see weft.pdo_request_max) 1040
nothing
PDOException: SQLSTATE[HYT00]: No connection is free, and this request, which keeps 7 (weft
