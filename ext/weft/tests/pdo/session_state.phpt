--TEST--
Session state stays with its domain, and is gone before anybody else gets the connection
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=1
weft.pdo_acquire_timeout=60
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
$states = [
    'pgsql' => [
        'temporary table' => ['create temporary table weft_t (n int)', "select to_regclass('pg_temp.weft_t')"],
        'advisory lock' => ['select pg_advisory_lock(77)', "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()"],
        'set_config' => ["select set_config('application_name', 'touched', false)", 'show application_name'],
        'role' => ['set role pg_monitor', 'select current_user'],
        'prepared' => ['prepare mine as select 1', "select count(*) from pg_prepared_statements where name = 'mine'"],
        'listen' => ['listen weft_channel', 'select count(*) from pg_listening_channels()'],
        'open transaction' => ['begin; create table weft_left (n int)', "select to_regclass('weft_left')"],
        'update of pg_settings' => ["update pg_settings set setting = 'touched' where name = 'application_name'", 'show application_name'],
        'text that a function runs' => ["select query_to_xml('select set_config(''application_name'', ''touched'', false)', false, false, '')", 'show application_name'],
        'name in escapes' => ['create table U&"\0070g_temp".weft_u (n int)', "select to_regclass('pg_temp.weft_u')"],
        'name in other escapes' => ['select U&"!0073et_config" uescape \'!\' (\'application_name\', \'touched\', false)', 'show application_name'],
        'path in escapes' => ["set search_path = E'\\x70g_temp'; create table weft_u (n int)", "select to_regclass('pg_temp.weft_u')"],
        'path in escapes, one by one' => [["set search_path = E'\\x70g_temp'", 'create table weft_u (n int)'], "select to_regclass('pg_temp.weft_u')"],
        'path in dollars' => [['set search_path = $$pg_temp$$', 'create table weft_u (n int)'], "select to_regclass('pg_temp.weft_u')"],
        'path on two lines' => [["set search_path = 'pg_'\n'temp'", 'create table weft_u (n int)'], "select to_regclass('pg_temp.weft_u')"],
        'function of an extension' => ["select set_user('touched')", 'show application_name'],
        'sequence' => ["create temporary sequence weft_s; select nextval('weft_s')", "select count(*) from pg_class where relname = 'weft_s'"],
    ],
    'mysql' => [
        'temporary table' => ['create temporary table weft_t (n int)', "select count(*) from information_schema.temp_tables_info where 0"],
        'user variable' => ['set @mine = 5', 'select @mine'],
        'assignment' => ['select @mine := 6', 'select @mine'],
        'sequence' => ["select next value for weft_s", 'select lastval(weft_s)'],
        'nextval()' => ["select nextval(weft_s)", 'select lastval(weft_s)'],
        'lock' => ["select get_lock('weft', 1)", "select is_used_lock('weft')"],
        'autocommit' => ['set autocommit = 0', 'select @@autocommit'],
        'autocommit, quoted' => ['set `autocommit` = 0', 'select @@autocommit'],
        'database' => ['use weft_other', 'select database()'],
        'database by a text' => ["execute immediate 'use weft_other'", 'select database()'],
        'database that is dropped' => [['use weft_other', 'drop database weft_other'], 'select database()'],
        'own database, dropped' => [['drop database weft_own', 'create database weft_own'], 'select database()', 'weft_own'],
        'no database' => ["execute immediate 'use weft_other'", 'select database()', ''],
        'compound with sql_mode=ORACLE' => [['set sql_mode = oracle', 'begin set session max_statement_time = 100; end'], 'select @@max_statement_time'],
        'over what connecting set' => [
            "execute immediate \"set lc_time_names = 'fr_FR'\"",
            'select @@lc_time_names',
            null,
            [PDO::MYSQL_ATTR_INIT_COMMAND => "set lc_time_names = 'de_DE'"],
        ],
        'over what connecting set, autocommit' => ['set autocommit = 1', 'select @@autocommit', null, [PDO::ATTR_AUTOCOMMIT => 0]],
        'role' => ['set role weft_role_0', 'select current_role()'],
        'isolation level' => ['set transaction isolation level serializable', 'select @@autocommit'],
    ],
];
$states['mysql']['temporary table'][1] = null;
on_each_server(function (DatabaseServer $server) use ($states) {
    if ($server->isMySql()) {
        $observer = $server->observer();
        $observer->exec('create or replace sequence weft_s');
        $observer->exec('create database if not exists weft_own');
    } else {
        $server->observer()->exec("create or replace function set_user(text) returns text language sql as 'select set_config(''application_name'', $1, false)'");
    }
    foreach ($states[$server->name] as $what => $state) {
        [$set, $show, $database, $options] = $state + [2 => null, 3 => []];
        $server->isMySql() && $observer->exec('create database if not exists weft_other');
        $open = fn () => $server->open($options, $database);
        $ask = fn (PDO $pdo) => $show === null
            ? substr(caught(fn () => $pdo->query('select * from weft_t')->fetchAll()), 0, 40)
            : json_encode($pdo->query($show)->fetchColumn());
        $clean = at_once(1, fn () => $ask($open()))[0];
        [$own] = at_once(1, function () use ($open, $set, $ask) {
            $pdo = $open();
            foreach ((array) $set as $sql) {
                str_starts_with($sql, 'select') ? $pdo->query($sql)->fetchAll() : $pdo->exec($sql);
            }
            Async\delay(1);
            return $ask($pdo);
        });
        $others = array_unique(at_once(32, fn () => $ask($open())));
        echo $what, ': own ', $own === $clean ? 'LOST' : 'kept', ', others ', $others === [$clean] ? 'clean' : json_encode([$clean, $others]), "\n";
    }
    if ($server->isMySql()) {
        $observer->exec('drop database weft_own');
        $observer->exec('drop database weft_other');
    }
    [$pids] = [array_unique(array_merge(...at_once(3, fn () => [$server->open()->query($server->pid)->fetchColumn()])))];
    echo count($pids), " connection\n";
    if ($server->isMySql()) {
        $server->observer()->exec('drop sequence weft_s');
    } else {
        $server->observer()->exec('drop function set_user');
    }
});
?>
--EXPECT--
-- pgsql
temporary table: own kept, others clean
advisory lock: own kept, others clean
set_config: own kept, others clean
role: own kept, others clean
prepared: own kept, others clean
listen: own kept, others clean
open transaction: own kept, others clean
update of pg_settings: own kept, others clean
text that a function runs: own kept, others clean
name in escapes: own kept, others clean
name in other escapes: own kept, others clean
path in escapes: own kept, others clean
path in escapes, one by one: own kept, others clean
path in dollars: own kept, others clean
path on two lines: own kept, others clean
function of an extension: own kept, others clean
sequence: own kept, others clean
1 connection
-- mysql
temporary table: own kept, others clean
user variable: own kept, others clean
assignment: own kept, others clean
sequence: own kept, others clean
nextval(): own kept, others clean
lock: own kept, others clean
autocommit: own kept, others clean
autocommit, quoted: own kept, others clean
database: own kept, others clean
database by a text: own kept, others clean
database that is dropped: own kept, others clean
own database, dropped: own kept, others clean
no database: own kept, others clean
compound with sql_mode=ORACLE: own kept, others clean
over what connecting set: own kept, others clean
over what connecting set, autocommit: own kept, others clean
role: own kept, others clean
isolation level: own LOST, others clean
1 connection
