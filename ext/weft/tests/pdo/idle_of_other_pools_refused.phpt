--TEST--
More pools than the server has connections, and it is the server who says so: what another pool has idle is closed, and when nothing is, requests wait; the error names the limit
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
pcntl
--SKIPIF--
<?php require __DIR__ . '/private_servers.inc'; if ($missing = PrivateServer::missing()) die("skip $missing"); ?>
--INI--
weft.pdo_pool_max=4
weft.pdo_acquire_timeout=30
error_log=/dev/null
--FILE--
<?php
require __DIR__ . '/servers.inc';
require __DIR__ . '/private_servers.inc';

$servers = [
    'pgsql' => [PrivateServer::postgres(['max_connections' => '10', 'superuser_reserved_connections' => '0', 'max_wal_senders' => '0']), 'select pg_sleep(0.002)'],
    'mysql' => [PrivateServer::mariadb(['--max-connections=10']), 'select sleep(0.002)'],
];
Weft\Isolation\snapshot();
foreach ($servers as $name => [$server, $sleep]) {
    echo "-- $name\n";
    // a pool of its own for each number
    $open = fn (int $number): PDO => $server->open([PDO::ATTR_TIMEOUT => 1000 + $number]);
    $work = fn (int $number): string => caught(function () use ($open, $number, $sleep) {
        $pdo = $open($number);
        $pdo->beginTransaction();
        $pdo->query($sleep)->fetchAll();
        $pdo->commit();
    });
    $tell = fn (array $results): string => implode(', ', array_unique($results));

    $seen = [];
    for ($i = 0; $i < 120; $i++) {
        array_push($seen, ...at_once(1, fn () => $work($i)));
    }
    echo 'one after the other: ', $tell($seen), "\n";
    echo 'together: ', $tell(at_once(40, fn (int $i) => $work(200 + $i))), "\n";
    if ($name === 'pgsql') {
        echo 'other environments: ', $tell(at_once(40, function (int $i) use ($work) {
            putenv("PGAPPNAME=number $i");
            return $work(0);
        })), "\n";
    }

    // all are in use, by requests that go on when the others have waited
    [$said, $heard] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    Weft\Pool::closeIdle();
    Async\delay(200);
    $kept = 0;
    $holders = Async\spawn(fn () => at_once(10, fn (int $i) => caught(function () use ($open, $i, $heard, &$kept) {
        $pdo = $open(500 + $i);
        $pdo->beginTransaction();
        $kept++;
        fread($heard, 1);
        $pdo->rollBack();
    })));
    until(fn () => $kept === 10);
    $waiters = Async\spawn(fn () => at_once(20, fn (int $i) => $work(600 + $i)));
    until(fn () => array_sum(array_column(Weft\Pool::stats(), 'leased')) === 10);
    Async\delay(50);
    fwrite($said, 'xxxxxxxxxx');
    echo 'all in use: ', $tell(Async\await($holders)), '; ', $tell(Async\await($waiters)), "\n";
    Weft\Pool::closeIdle();
}
?>
--EXPECT--
-- pgsql
one after the other: nothing
together: nothing
other environments: nothing
all in use: nothing; nothing
-- mysql
one after the other: nothing
together: nothing
all in use: nothing; nothing
