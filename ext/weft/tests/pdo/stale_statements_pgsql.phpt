--TEST--
A kept statement that PostgreSQL refuses since its types have been made anew is prepared again; a transaction hears of it once
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--INI--
weft.pdo_pool_max=1
--FILE--
<?php
require __DIR__ . '/servers.inc';

$server = servers()[0];
$observer = $server->observer();
$observer->exec('set client_min_messages = error');
$renew = [
    'enum' => "drop type if exists weft_mood cascade; create type weft_mood as enum ('good', 'bad');
        alter table weft_stale add column mood weft_mood",
    'domain' => 'drop domain if exists weft_number cascade; create domain weft_number as int; alter table weft_stale add column number weft_number',
    'composite' => 'drop type if exists weft_pair cascade; create type weft_pair as (a int, b int); alter table weft_stale add column pair weft_pair',
    'function' => "drop function if exists weft_next(int); create function weft_next(int) returns int language sql as 'select $1 + 1'",
    'table' => 'drop table if exists weft_other; create table weft_other (n int)',
    'view' => 'drop view if exists weft_view; create view weft_view as select n from weft_stale',
    'column' => 'alter table weft_stale drop column if exists changed; alter table weft_stale add column changed ' . '%s',
];
$statements = [
    'enum' => ['insert into weft_stale (n, mood) values (?, ?)', [1, 'good']],
    'domain' => ['insert into weft_stale (n, number) values (?, ?)', [1, 7]],
    'composite' => ['insert into weft_stale (n, pair) values (?, ?)', [1, '(1,2)']],
    'function' => ['insert into weft_stale (n) select weft_next(?)', [1]],
    'table' => ['insert into weft_other (n) values (?)', [1]],
    'view' => ['update weft_stale set n = 2 where n in (select n from weft_view where n = ?)', [1]],
    'column' => ['update weft_stale set changed = ? where n = -1', ['1']],
];
$run = function (PDO $pdo, string $kind) use ($statements): string {
    return strtok(caught(fn () => $pdo->prepare($statements[$kind][0])->execute($statements[$kind][1])), ']') ?: '';
};
$times = 0;
$change = function (string $kind) use ($renew, $observer, &$times): void {
    $observer->exec(sprintf($renew[$kind], ['int', 'text', 'date'][$times++ % 2]));
};
$in_transaction = function (PDO $pdo, string $kind) use ($run): string {
    $pdo->beginTransaction();
    $result = $run($pdo, $kind);
    $result === 'nothing' ? $pdo->commit() : $pdo->rollBack();

    return $result;
};
$in_savepoint = function (PDO $pdo, string $kind) use ($run): string {
    $pdo->beginTransaction();
    $pdo->exec('savepoint weft');
    $first = $run($pdo, $kind);
    $first === 'nothing' || $pdo->exec('rollback to weft');
    $second = $run($pdo, $kind);
    $second === 'nothing' ? $pdo->commit() : $pdo->rollBack();

    return $first === 'nothing' ? $second : "once, then $second";
};
foreach ($renew as $kind => $sql) {
    $observer->exec('drop table if exists weft_stale cascade; create table weft_stale (n int)');
    $change($kind);
    at_once(1, function () use ($server, $kind, $run, $change, $in_transaction, $in_savepoint) {
        $pdo = $server->open();
        $line = $run($pdo, $kind);
        $change($kind);
        $line .= ', changed: ' . $run($pdo, $kind);
        $change($kind);
        $results = [];
        for ($i = 0; $i < 4; $i++) {
            $results[] = $in_transaction($pdo, $kind);
        }
        // how often is all that may differ: a table that has changed may be found out before
        $failed = array_filter($results, fn (string $result) => $result !== 'nothing');
        $line .= ', in transactions: ' . (count($failed) <= 1 ? 'at most once' : count($failed) . ' failures: ' . end($failed));
        $change($kind);
        $line .= ', with a savepoint: ' . (str_ends_with($in_savepoint($pdo, $kind), 'nothing') ? 'goes on' : 'fails');
        echo "$kind: $line\n";
    });
}

// a statement that an application has kept for itself
$observer->exec('drop table if exists weft_stale cascade; create table weft_stale (n int)');
$change('enum');
at_once(1, function () use ($server, $statements, $change) {
    [$sql, $values] = $statements['enum'];
    $pdo = $server->open();
    $pdo->prepare($sql)->execute($values);
    $kept = $pdo->prepare($sql);
    $change('enum');
    echo 'kept by the application: ', $kept->execute($values) ? 'done' : 'failed', ', ', $pdo->query('select count(*) from weft_stale')->fetchColumn(), " rows\n";
});

// functions in PL/pgSQL remember the types of their variables for as long as a connection lasts
$observer->exec("create or replace function weft_says() returns text language plpgsql as
    $$ declare mood weft_mood; begin mood := 'good'; return mood; end $$");
at_once(1, function () use ($server, $change) {
    $says = fn (PDO $pdo) => strtok(caught(fn () => print($pdo->query('select weft_says()')->fetchColumn() . ' ')), ']');
    $pdo = $server->open();
    echo 'PL/pgSQL: ', $says($pdo);
    $change('enum');
    $says($pdo);
    echo ', a connection later: ', $says($pdo), "\n";
});

// nothing of that is an error of another kind
echo 'a user\'s own error: ', at_once(1, function () use ($server) {
    $pdo = $server->open();
    $sql = "do $$ begin raise exception 'cache lookup failed for type 5' using errcode = 'P0001'; end $$";

    return substr_count(caught(fn () => $pdo->exec($sql)), 'cache lookup failed');
})[0], "\n";
$observer->exec('drop table weft_stale, weft_other cascade; drop type weft_mood, weft_pair cascade; drop domain weft_number cascade');
$observer->exec('drop function weft_says(); drop function weft_next(int)');
?>
--EXPECT--
enum: nothing, changed: nothing, in transactions: at most once, with a savepoint: goes on
domain: nothing, changed: nothing, in transactions: at most once, with a savepoint: goes on
composite: nothing, changed: nothing, in transactions: at most once, with a savepoint: goes on
function: nothing, changed: nothing, in transactions: at most once, with a savepoint: goes on
table: nothing, changed: nothing, in transactions: at most once, with a savepoint: goes on
view: nothing, changed: nothing, in transactions: at most once, with a savepoint: goes on
column: nothing, changed: nothing, in transactions: at most once, with a savepoint: goes on
kept by the application: done, 2 rows
PL/pgSQL: good nothing, a connection later: good nothing
a user's own error: 1
