--TEST--
Whoever waits between two rows finds the statement in use when a sibling executes it by then
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/servers.inc';

on_each_server(function (DatabaseServer $server) {
    $sleep = $server->name === 'mysql' ? 'sleep(0.2)' : 'length(pg_sleep(0.2)::text)';
    $statement = $server->open()->prepare("select 1 as x where ? = 'two' union all select 2 where ? = 'two' union all select 3 + $sleep where ? = 'slow'");
    $statement->execute(array_fill(0, 3, 'two'));
    $sibling = null;
    $rows = [];
    $result = caught(function () use ($statement, &$sibling, &$rows): void {
        while (($row = $statement->fetchColumn()) !== false) {
            $rows[] = (int) $row;
            $sibling ??= Async\spawn(function () use ($statement): int {
                $statement->execute(array_fill(0, 3, 'slow'));
                return (int) $statement->fetchColumn();
            });
            Async\delay(20);
        }
    });
    echo 'rows before: ', implode(', ', $rows), "; then $result\n";
    echo 'the sibling: ', Async\await($sibling), "\n";
});
?>
--EXPECT--
-- pgsql
rows before: 1; then PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
the sibling: 3
-- mysql
rows before: 1; then PDOException: SQLSTATE[HY010]: Another coroutine is executing this statement; prepare one in each coroutine
the sibling: 3
