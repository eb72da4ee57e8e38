--TEST--
A kept statement is not used where its text means something else: another database or sql_mode, another search_path in a transaction
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

[$postgres, $mysql] = servers();
$one = function (PDO $pdo, string $sql): mixed {
    $statement = $pdo->prepare($sql);
    $statement->execute();
    return $statement->fetchColumn();
};

$observer = $mysql->observer();
foreach (['weft_a', 'weft_b'] as $name) {
    $observer->exec("create or replace database $name");
    $observer->exec("create table $name.t (v varchar(20))");
    $observer->exec("insert into $name.t values ('$name')");
}
$pdo = $mysql->open();
$seen = [];
foreach (['weft_a', 'weft_b', 'weft_a'] as $name) {
    $pdo->exec("use $name");
    $seen[] = $one($pdo, 'select v from t');
}
echo 'use: ', implode(', ', $seen), "\n";
$pdo->exec('set @mine = 1'); // touched: the same without a profile
$seen = [];
foreach (['weft_a', 'weft_b'] as $name) {
    $pdo->exec("use $name");
    $seen[] = $one($pdo, 'select v from t');
}
echo 'use, touched: ', implode(', ', $seen), "\n";
$seen = [];
foreach (['', 'ANSI_QUOTES'] as $mode) {
    $pdo->exec("set sql_mode = '$mode'");
    $seen[] = $one($pdo, 'select "v" from t');
}
echo 'sql_mode: ', implode(', ', $seen), "\n";
unset($pdo);
$observer->exec('drop database weft_a');
$observer->exec('drop database weft_b');

$observer = $postgres->observer();
$observer->exec('create schema weft_a create table t (v int)');
$observer->exec('create schema weft_b create table t (v text)');
$observer->exec("insert into weft_a.t values (1); insert into weft_b.t values ('b')");
$pdo = $postgres->open();
foreach ([
    'search_path' => ["set local search_path = weft_a", "set local search_path = weft_b"],
    'deallocated' => ['set local search_path = weft_a', 'deallocate all'],
    'back to a savepoint' => ['set local search_path = weft_a; savepoint s; alter table t alter v type text', 'rollback to s'],
] as $name => $steps) {
    $pdo->beginTransaction();
    $seen = [];
    foreach ($steps as $sql) {
        $pdo->exec($sql);
        $seen[] = var_export($one($pdo, 'select v from t'), true);
    }
    $pdo->rollBack();
    echo "$name: ", implode(', ', $seen), "\n";
}
unset($pdo);
$observer->exec('drop schema weft_a cascade; drop schema weft_b cascade');
?>
--EXPECT--
use: weft_a, weft_b, weft_a
use, touched: weft_a, weft_b
sql_mode: v, weft_b
search_path: 1, 'b'
deallocated: 1, 1
back to a savepoint: '1', 1
