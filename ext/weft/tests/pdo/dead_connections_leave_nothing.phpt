--TEST--
A connection that the server has ended leaves no memory behind, whatever statements were prepared on it
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=1
--FILE--
<?php
require __DIR__ . '/servers.inc';

// what happens to a statement while the connection dies under it
$fates = [
    'kept by the application' => fn (PDOStatement $statement): ?PDOStatement => $statement,
    'kept by the pool' => fn (PDOStatement $statement): ?PDOStatement => null,
];

Async\await(Async\spawn(fn () => on_each_server(function (DatabaseServer $server) use ($fates) {
    $observer = $server->observer();
    $there = $observer->prepare('select count(*) from ' . ($server->isMySql() ? 'information_schema.processlist where id = ?' : 'pg_stat_activity where pid = ?'));
    $end = function (int $pid) use ($server, $observer, $there): void {
        $observer->exec($server->isMySql() ? "kill $pid" : "do 'begin perform pg_terminate_backend($pid); end'");
        do {
            Async\delay(20);
            $there->execute([$pid]);
        } while ($there->fetchColumn());
    };
    $pdo = $server->open();
    foreach ($fates as $name => $fate) {
        $round = function (int $i) use ($server, $end, $pdo, $fate): void {
            $statement = $pdo->prepare('select ' . $i);
            $statement->execute();
            $statement->fetchAll();
            $statement = $fate($statement);
            $pid = (int) $pdo->query($server->pid)->fetchColumn();
            $end($pid);
            // where the end has not been seen yet, these fail, and leave no memory behind either
            caught(fn () => $statement?->execute());
            $statement = null;
            caught(fn () => $pdo->query('select 1')->fetchAll());
        };
        for ($i = 0; $i < 4; $i++) {
            $round($i);
        }
        gc_collect_cycles();
        $before = memory_get_usage();
        for (; $i < 12; $i++) {
            $round($i);
        }
        gc_collect_cycles();
        $each = intdiv(memory_get_usage() - $before, 8);
        echo $name, ': ', $each < 1000 ? 'nothing' : "$each bytes each time", "\n";
    }
})));
?>
--EXPECT--
-- pgsql
kept by the application: nothing
kept by the pool: nothing
-- mysql
kept by the application: nothing
kept by the pool: nothing
