--TEST--
A pool larger than the server allows: requests wait for the connections that there are; with none at all the server's refusal is the error
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
pcntl
--SKIPIF--
<?php require __DIR__ . '/private_servers.inc'; if ($missing = PrivateServer::missing()) die("skip $missing"); ?>
--INI--
weft.pdo_pool_max=20
weft.pdo_acquire_timeout=60
--FILE--
<?php
require __DIR__ . '/servers.inc';
require __DIR__ . '/private_servers.inc';

$servers = [
    'pgsql' => [
        PrivateServer::postgres(['max_connections' => '5', 'superuser_reserved_connections' => '0', 'max_wal_senders' => '0']),
        'select pg_sleep(0.005)',
        'select pg_backend_pid()',
        5,
    ],
    'mysql' => [PrivateServer::mariadb(['--max-connections=10']), 'select sleep(0.005)', 'select connection_id()', 10],
];
Weft\Isolation\snapshot();
foreach ($servers as $name => [$server, $sleep, $pid, $allowed]) {
    echo "-- $name\n";
    $transaction = fn () => caught(function () use ($server, $sleep) {
        $pdo = $server->open();
        $pdo->beginTransaction();
        $pdo->query($sleep)->fetchAll();
        $pdo->commit();
    });
    foreach ([1, 32] as $count) {
        echo "$count: ", implode(', ', array_unique(at_once($count, $transaction))), "\n";
    }
    $connections = array_unique(at_once(32, fn () => $server->open()->query($pid)->fetchColumn()));
    echo 'connections: ', count($connections) <= $allowed ? 'as many as the server has' : count($connections), "\n";

    // somebody else has them all
    Weft\Pool::closeIdle();
    Async\delay(100);
    $somebody = proc_open([PHP_BINARY, '-r', '$all = []; try { for (;;) { $all[] = new PDO($argv[1], $argv[2]); } } catch (PDOException) { echo "all\n"; } fgets(STDIN);',
        $server->dsn, $server->user], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    fgets($pipes[1]);
    foreach ([1, 32] as $count) {
        $refused = array_unique(at_once($count, fn () => preg_match('/PDOException.*too many/i', $transaction()) ? 'refused' : 'something else'));
        echo "none left, $count: ", implode(', ', $refused), "\n";
    }
    fclose($pipes[0]);
    proc_close($somebody);
    Async\delay(100);
    echo 'free again: ', implode(', ', array_unique(at_once(32, $transaction))), "\n";
    foreach (Weft\Pool::stats() as $pool) {
        if ($pool['leased'] !== 0 || $pool['waiting'] !== 0) {
            echo json_encode($pool), "\n";
        }
    }
}
?>
--EXPECT--
-- pgsql
1: nothing
32: nothing
connections: as many as the server has
none left, 1: refused
none left, 32: refused
free again: nothing
-- mysql
1: nothing
32: nothing
connections: as many as the server has
none left, 1: refused
none left, 32: refused
free again: nothing
