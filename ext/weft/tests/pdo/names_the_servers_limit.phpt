--TEST--
When the pools of a server have all connections that it has for this worker, the error says so, and since when all of them are leased
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
pcntl
--SKIPIF--
<?php require __DIR__ . '/private_servers.inc'; if ($missing = PrivateServer::missing()) die("skip $missing"); ?>
--INI--
weft.pdo_acquire_timeout=0.5
error_log=/dev/null
--FILE--
<?php
require __DIR__ . '/servers.inc';
require __DIR__ . '/private_servers.inc';

$server = PrivateServer::postgres(['max_connections' => '5', 'superuser_reserved_connections' => '0', 'max_wal_senders' => '0']);
Weft\Isolation\snapshot();
$open = fn (int $number): PDO => $server->open([PDO::ATTR_TIMEOUT => 1000 + $number]);
[$said, $heard] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$kept = 0;
$holders = Async\spawn(fn () => at_once(4, function (int $i) use ($open, $heard, &$kept) {
    $pdo = $open($i);
    $pdo->beginTransaction();
    $kept++;
    fread($heard, 1);
    $pdo->rollBack();
}));
until(fn () => $kept === 4);
// the second waits for the first connection of the same pool
foreach (at_once(2, fn () => caught(fn () => $open(10))) as $message) {
    echo preg_replace(['/port=\d+/', '/\d+\.\d+ s in/'], ['port=N', 'N s in'], $message), "\n";
}
fwrite($said, 'xxxx');
Async\await($holders);
echo caught(fn () => $open(10)), "\n";
?>
--EXPECT--
PDOException: SQLSTATE[HYT00]: No connection became free within 0.5 s (weft.pdo_acquire_timeout). Pool pgsql:host=127.0.0.1;port=N;dbname=postgres as laravel: 0 connections (weft.pdo_pool_max), 2 waiting; all pools of its server: 4 connections of 4, this worker's share of the 5 that the server allows; leased for N s in a transaction, for N s in a transaction, for N s in a transaction, for N s in a transaction. The log says to whom
PDOException: SQLSTATE[HYT00]: No connection became free within 0.5 s (weft.pdo_acquire_timeout). Pool pgsql:host=127.0.0.1;port=N;dbname=postgres as laravel: 0 connections (weft.pdo_pool_max), 1 waiting; all pools of its server: 4 connections of 4, this worker's share of the 5 that the server allows; leased for N s in a transaction, for N s in a transaction, for N s in a transaction, for N s in a transaction. The log says to whom
nothing
