--TEST--
More pools than the server has connections: what another pool has idle is closed for whoever has none, in turn, and nobody waits for himself
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
pcntl
--SKIPIF--
<?php require __DIR__ . '/private_servers.inc'; if ($missing = PrivateServer::missing()) die("skip $missing"); ?>
--INI--
weft.pdo_acquire_timeout=30
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

    // one pool has them all and a long line: another one's first request is not behind all of that
    $ended = [];
    $all = Async\spawn(fn () => at_once(80, function () use ($work, &$ended) {
        $ended[] = $work(300);
    }));
    until(fn () => count($ended) >= 5);
    at_once(1, function () use ($work, &$ended) {
        $ended[] = 'the other: ' . $work(301);
    });
    Async\await($all);
    $at = array_search('the other: nothing', $ended, true);
    echo 'another pool: ', $at !== false && $at < 60 ? 'in its turn' : json_encode([$at, $tell($ended)]), "\n";

    // three connections each, of three pools: more than this worker's share, and nobody waits for another
    echo 'keeps one and wants another: ', $tell(at_once(3, fn (int $i) => caught(function () use ($open, $i) {
        $kept = [];
        for ($j = 0; $j < 3; $j++) {
            $kept[] = $pdo = $open(400 + 3 * $i + $j);
            $pdo->beginTransaction();
            $pdo->query('select 1')->fetchAll();
            Async\delay(5);
        }
    }))), "\n";

    $pools = array_filter(Weft\Pool::stats(), fn (string $pool) => str_starts_with($pool, $name), ARRAY_FILTER_USE_KEY);
    echo 'pools: ', count($pools) <= 64 + 8 ? 'not all' : count($pools), ', connections: ', array_sum(array_column($pools, 'size')) <= 8 ? 'its share' : json_encode($pools), "\n";
    Weft\Pool::closeIdle();
}
?>
--EXPECT--
-- pgsql
one after the other: nothing
together: nothing
other environments: nothing
another pool: in its turn
keeps one and wants another: nothing
pools: not all, connections: its share
-- mysql
one after the other: nothing
together: nothing
another pool: in its turn
keeps one and wants another: nothing
pools: not all, connections: its share
