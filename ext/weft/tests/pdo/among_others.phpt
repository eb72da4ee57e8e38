--TEST--
What a request does to its session stays with it, alone and among 32 of which half do the same with other values
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=8
weft.pdo_acquire_timeout=30
--FILE--
<?php
require __DIR__ . '/servers.inc';

// what to do with a number, how to look at it, and what the number is there
$states = [
    'pgsql' => [
        'search_path' => ['select set_config(\'search_path\', \'weft_%d\', false)', 'show search_path'],
        'search_path, plainly' => ['set search_path to weft_%d', 'show search_path'],
        'role' => ['set role weft_role_%d', 'select current_user'],
        'temporary table' => ['create temporary table weft_t as select %d as n', 'select n from weft_t'],
        'temporary table by its schema' => ['create table pg_temp.weft_t as select %d as n', 'select n from weft_t'],
        'advisory lock' => ['select pg_advisory_lock(%d)', 'select objid from pg_locks where locktype = \'advisory\' and pid = pg_backend_pid()'],
        'advisory lock, quoted' => ['select "pg_advisory_lock"(%d)', 'select objid from pg_locks where locktype = \'advisory\' and pid = pg_backend_pid()'],
        'listen' => ['listen weft_%d', 'select pg_listening_channels()'],
        'prepared' => ['prepare weft as select %d', 'select statement from pg_prepared_statements where name = \'weft\''],
        'cursor' => ['declare weft cursor with hold for select %d', 'select statement from pg_cursors where name = \'weft\''],
        'sequence' => ['create temporary sequence weft_s start 1%d', 'select last_value from weft_s'],
        'variable of one\'s own' => ['set weft.mine = \'%d\'', 'select current_setting(\'weft.mine\', true)'],
        'raw transaction' => ['begin; set local statement_timeout = 10%d', 'show statement_timeout'],
    ],
    'mysql' => [
        'sql_mode' => ['set sql_mode = concat(\'ANSI_QUOTES\', if(%d %% 2, \',NO_ZERO_DATE\', \'\'))', 'select @@sql_mode'],
        'user variable' => ['set @mine = %d', 'select @mine'],
        'assignment' => ['select @mine := %d', 'select @mine'],
        'user variable into' => ['select %d into @mine', 'select @mine'],
        'temporary table' => ['create temporary table weft_t as select %d as n', 'select n from weft_t'],
        'lock' => [
            'select get_lock(\'weft_%d\', 20)',
            'select group_concat(n) from (select 0 as n union select 1) as l where is_used_lock(concat(\'weft_\', n)) = connection_id()',
        ],
        'lock, quoted' => [
            'select `get_lock`(\'weft_%d\', 20)',
            'select group_concat(n) from (select 0 as n union select 1) as l where is_used_lock(concat(\'weft_\', n)) = connection_id()',
        ],
        'lock without a space' => [
            'select 5--get_lock(\'weft_%d\', 20)',
            'select group_concat(n) from (select 0 as n union select 1) as l where is_used_lock(concat(\'weft_\', n)) = connection_id()',
        ],
        'executed comment' => ['/*!50000 set @mine = %d */', 'select @mine'],
        'compound' => ['begin not atomic set session max_statement_time = 100 + %d; end', 'select @@max_statement_time'],
        'role' => ['set role weft_role_%d', 'select current_role()'],
        'character set' => ['set names utf8 -- %d', 'select @@character_set_client'],
        'database' => ['use weft_other_%d', 'select database()'],
        'autocommit' => ['set autocommit = if(%d, 0, 0)', 'select @@autocommit'],
    ],
];
Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) use ($states) {
    $observer = $server->observer();
    foreach ([0, 1] as $n) {
        if ($server->isMySql()) {
            $observer->exec("create database if not exists weft_other_$n");
        } else {
            $observer->exec("do 'begin create role weft_role_$n; exception when duplicate_object then null; end'");
        }
    }
    $look = function (PDO $pdo, string $show) {
        try {
            return json_encode($pdo->query($show)->fetchAll(PDO::FETCH_COLUMN));
        } catch (PDOException $e) {
            return $e->getCode();
        }
    };
    foreach ($states[$server->name] as $name => [$do, $show]) {
        $clean = at_once(1, fn () => $look($server->open(), $show))[0];
        $request = function (int $i, bool $does) use ($server, $look, $do, $show) {
            $pdo = $server->open();
            if ($does) {
                $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, $server->isMySql());
                $sql = sprintf($do, $i % 2);
                str_starts_with($sql, 'select') ? $pdo->query($sql)->closeCursor() : $pdo->exec($sql);
                Async\delay(1);
            }
            $seen = [$look($pdo, $show)];
            $pdo->query($server->sleep(0.001))->fetchAll();
            $seen[] = $look($pdo, $show);
            return implode(' then ', array_unique($seen));
        };
        $own = [at_once(1, fn () => $request(0, true))[0], at_once(1, fn () => $request(1, true))[0]];
        $wrong = [];
        foreach (at_once(32, fn (int $i) => $request($i, $i % 4 < 2)) as $i => $seen) {
            $expected = $i % 4 < 2 ? $own[$i % 2] : $clean;
            if ($seen !== $expected) {
                $wrong[] = ($i % 4 < 2 ? 'its own ' : 'nothing ') . "expected $expected, seen $seen";
            }
        }
        echo $name, ': ', $own[0] === $own[1] ? $own[0] : 'each its own', $own[0] === $clean ? ' (nothing to see)' : '',
            $wrong ? ' WRONG ' . implode('; ', array_unique($wrong)) : '', "\n";
    }
    foreach ([0, 1] as $n) {
        $observer->exec($server->isMySql() ? "drop database weft_other_$n" : "drop role weft_role_$n");
    }
});
?>
--EXPECT--
-- pgsql
search_path: each its own
search_path, plainly: each its own
role: each its own
temporary table: each its own
temporary table by its schema: each its own
advisory lock: each its own
advisory lock, quoted: each its own
listen: each its own
prepared: each its own
cursor: each its own
sequence: each its own
variable of one's own: each its own
raw transaction: each its own
-- mysql
sql_mode: each its own
user variable: each its own
assignment: each its own
user variable into: each its own
temporary table: each its own
lock: each its own
lock, quoted: each its own
lock without a space: each its own
executed comment: each its own
compound: each its own
role: each its own
character set: ["utf8mb3"]
database: each its own
autocommit: [0]
