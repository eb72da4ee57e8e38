--TEST--
A repeated statement is prepared once; what makes it stale is repaired, and no error comes that plain PDO does not show
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--CONFLICTS--
all
--INI--
weft.pdo_pool_max=1
weft.pdo_statement_cache=20
--FILE--
<?php
require __DIR__ . '/servers.inc';

on_each_server(function (DatabaseServer $server) {
    $pdo = $server->open();
    $observer = $server->observer();
    $count = fn () => (int) $pdo->query(
        $server->isMySql() ? "show session status like 'Com_stmt_prepare'" : 'select count(*) from pg_prepared_statements',
    )->fetchColumn($server->isMySql() ? 1 : 0);
    $observer->exec('drop table if exists weft_cache');
    $observer->exec('create table weft_cache (n int, text varchar(20))');
    $observer->exec("insert into weft_cache values (1, 'one'), (2, 'two')");
    $find = function (int $n) use ($pdo) {
        $statement = $pdo->prepare('select * from weft_cache where n = :n');
        $statement->bindValue(':n', $n, PDO::PARAM_INT);
        $statement->execute();
        return json_encode($statement->fetchAll(PDO::FETCH_NUM));
    };
    $find(1);
    $before = $count();
    for ($i = 0; $i < 10; $i++) {
        $find(1);
    }
    echo 'prepared for ten more: ', $count() - $before - ($server->isMySql() ? 0 : 0), "\n";
    echo $find(2), ' ', $find(1), "\n";

    // two at once need two
    $one = $pdo->prepare('select n from weft_cache where n = ?');
    $two = $pdo->prepare('select n from weft_cache where n = ?');
    $one->execute([1]);
    $two->execute([2]);
    echo $one->fetchColumn(), $two->fetchColumn(), "\n";
    unset($one, $two);

    // fewer values than the one before
    $three = $pdo->prepare('select n from weft_cache where n = ? and text = ?');
    $three->execute([1, 'one']);
    unset($three);
    $three = $pdo->prepare('select n from weft_cache where n = ? and text = ?');
    $three->bindValue(2, 'one');
    echo 'too few: ', substr(caught(fn () => $three->execute()), 0, 29), "\n";
    unset($three);

    $observer->exec('alter table weft_cache add more int');
    echo 'a column more: ', $find(1), "\n";
    $pdo->exec('alter table weft_cache drop column more');
    echo 'and less: ', $find(1), "\n";

    $pdo->beginTransaction();
    $observer->exec($server->isMySql() ? 'do 1' : 'alter table weft_cache add later int');
    echo 'in a transaction, after a change: ', $find(1), "\n";
    echo 'once more: ', $find(2), "\n";
    $pdo->commit();

    $observer->exec('drop table weft_cache');
    echo 'no table: ', substr(caught(fn () => $find(1)), 0, 29), "\n";
    $observer->exec('create table weft_cache (n int, text varchar(20))');
    $observer->exec("insert into weft_cache values (3, 'three')");
    echo 'a new one: ', $find(3), "\n";
    if (!$server->isMySql()) {
        $pdo->exec('deallocate all');
        echo 'deallocated: ', $find(3), "\n";
    }

    for ($i = 0; $i < 60; $i++) {
        $pdo->query("select $i");
    }
    $kept = $observer->query($server->isMySql() ? "show global status like 'Prepared_stmt_count'" : 'select 0')->fetchColumn($server->isMySql() ? 1 : 0);
    echo 'kept at the server: ', ($server->isMySql() ? $kept <= 60 : $count() <= 20 + 16 + 1) ? 'few' : 'too many', "\n";
    $observer->exec('drop table weft_cache');
});
?>
--EXPECT--
-- pgsql
prepared for ten more: 0
[[2,"two"]] [[1,"one"]]
12
too few: PDOException: SQLSTATE[08P01]
a column more: [[1,"one",null]]
and less: [[1,"one"]]
in a transaction, after a change: [[1,"one",null]]
once more: [[2,"two",null]]
no table: PDOException: SQLSTATE[42P01]
a new one: [[3,"three"]]
deallocated: [[3,"three"]]
kept at the server: few
-- mysql
prepared for ten more: 0
[[2,"two"]] [[1,"one"]]
12
too few: PDOException: SQLSTATE[HY093]
a column more: [[1,"one",null]]
and less: [[1,"one"]]
in a transaction, after a change: [[1,"one"]]
once more: [[2,"two"]]
no table: PDOException: SQLSTATE[42S02]
a new one: [[3,"three"]]
kept at the server: few
