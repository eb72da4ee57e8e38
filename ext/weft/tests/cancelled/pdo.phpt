--TEST--
A cancelled call of PDO throws its cancellation, also where it connects, and no later query gets its result
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=60
weft.pdo_acquire_timeout=60
--FILE--
<?php
require __DIR__ . '/../pdo/servers.inc';
require __DIR__ . '/cancelled.inc';

on_each_server(function (DatabaseServer $server): void {
    $sleep = fn (float $seconds) => substr($server->sleep($seconds), 7);
    $rows = $server->isMySql() ? 'seq_1_to_60' : 'generate_series(1, 60)';
    $several = fn (int $i) => "select 'cancelled-$i', {$sleep(0.004)}; select 'cancelled-$i', {$sleep(0.004)}";
    $again = 0;
    cancel_at_random([
        'query' => fn ($pdo, $i) => $pdo->query("select 'cancelled-$i', {$sleep(0.008)}")->fetchAll(),
        'exec' => fn ($pdo, $i) => $pdo->exec($server->isMySql() ? 'do sleep(0.008)' : "do $$ begin perform pg_sleep(0.008); end $$"),
        'prepared' => function ($pdo, $i) use ($sleep) {
            $statement = $pdo->prepare("select 'cancelled-$i', cast(? as char(9)), {$sleep(0.003)}");
            $statement->execute(["$i"]);
            $statement->fetchAll();
            $statement->execute(["$i"]);
        },
        'many rows' => fn ($pdo, $i) => $pdo->query("select 'cancelled-$i', repeat('x', 2000), {$sleep(0.0001)} from $rows")->fetchAll(),
        'by foreach' => function ($pdo, $i) use ($sleep, $rows) {
            foreach ($pdo->query("select 'cancelled-$i', repeat('x', 2000), {$sleep(0.0001)} from $rows") as $row);
        },
        'transaction' => function ($pdo, $i) use ($sleep) {
            $pdo->beginTransaction();
            $pdo->query("select 'cancelled-$i', {$sleep(0.006)}")->fetchAll();
            $pdo->commit();
        },
        'connect' => function ($pdo, $i) use ($server, $sleep, &$again) {
            $fresh = $server->open([PDO::ATTR_TIMEOUT => 2000 + ++$again]);
            $fresh->query("select {$sleep(0.003)}")->fetchAll();
        },
        'connect, not from a pool' => fn ($pdo, $i) => $server->open([PDO::ATTR_TIMEOUT => 3000 + ++$again])->query("select {$sleep(0.002)}")->fetchAll(),
    ] + ($server->isMySql() ? [
        'unbuffered' => function ($pdo, $i) use ($server, $sleep, $rows) {
            $pdo = $server->open([PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false]);
            $statement = $pdo->query("select 'cancelled-$i', repeat('x', 2000), {$sleep(0.0001)} from $rows");
            while ($statement->fetch());
        },
        'unbuffered, by foreach' => function ($pdo, $i) use ($server, $sleep, $rows) {
            $pdo = $server->open([PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false]);
            foreach ($pdo->query("select 'cancelled-$i', repeat('x', 2000), {$sleep(0.0001)} from $rows") as $row);
        },
        'several' => function ($pdo, $i) use ($server, $several) {
            $statement = $server->open([PDO::ATTR_EMULATE_PREPARES => true])->query($several($i));
            while ($statement->fetchAll() && $statement->nextRowset());
        },
    ] : [
        'several' => fn ($pdo, $i) => $pdo->exec($several($i)),
        'copy' => fn ($pdo, $i) => @$pdo->pgsqlCopyToArray("(select 'cancelled-$i', pg_sleep(0.0001) from $rows)"),
    ]), fn () => $server->open(), function (PDO $pdo, string $text) {
        $statement = $pdo->prepare('select cast(? as char(9))');
        $statement->execute([$text]);

        return trim($statement->fetchColumn());
    });
});
?>
--EXPECT--
-- pgsql
query: some cancelled, nothing else thrown, 0 wrong answers
exec: some cancelled, nothing else thrown, 0 wrong answers
prepared: some cancelled, nothing else thrown, 0 wrong answers
many rows: some cancelled, nothing else thrown, 0 wrong answers
by foreach: some cancelled, nothing else thrown, 0 wrong answers
transaction: some cancelled, nothing else thrown, 0 wrong answers
connect: some cancelled, nothing else thrown, 0 wrong answers
connect, not from a pool: some cancelled, nothing else thrown, 0 wrong answers
several: some cancelled, nothing else thrown, 0 wrong answers
copy: some cancelled, nothing else thrown, 0 wrong answers
-- mysql
query: some cancelled, nothing else thrown, 0 wrong answers
exec: some cancelled, nothing else thrown, 0 wrong answers
prepared: some cancelled, nothing else thrown, 0 wrong answers
many rows: some cancelled, nothing else thrown, 0 wrong answers
by foreach: some cancelled, nothing else thrown, 0 wrong answers
transaction: some cancelled, nothing else thrown, 0 wrong answers
connect: some cancelled, nothing else thrown, 0 wrong answers
connect, not from a pool: some cancelled, nothing else thrown, 0 wrong answers
unbuffered: some cancelled, nothing else thrown, 0 wrong answers
unbuffered, by foreach: some cancelled, nothing else thrown, 0 wrong answers
several: some cancelled, nothing else thrown, 0 wrong answers
