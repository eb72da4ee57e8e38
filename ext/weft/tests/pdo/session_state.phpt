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
        'isolation level' => ['set transaction isolation level serializable', 'select @@autocommit'],
    ],
];
$states['mysql']['temporary table'][1] = null;
on_each_server(function (DatabaseServer $server) use ($states) {
    if ($server->isMySql()) {
        $server->observer()->exec('create or replace sequence weft_s');
    }
    foreach ($states[$server->name] as $what => [$set, $show]) {
        $ask = fn (PDO $pdo) => $show === null
            ? substr(caught(fn () => $pdo->query('select * from weft_t')->fetchAll()), 0, 40)
            : json_encode($pdo->query($show)->fetchColumn());
        $clean = at_once(1, fn () => $ask($server->open()))[0];
        [$own] = at_once(1, function () use ($server, $set, $ask) {
            $pdo = $server->open([]);
            str_starts_with($set, 'select') ? $pdo->query($set)->fetchAll() : $pdo->exec($set);
            Async\delay(1);
            return $ask($pdo);
        });
        $others = array_unique(at_once(32, fn () => $ask($server->open())));
        echo $what, ': own ', $own === $clean ? 'LOST' : 'kept', ', others ', $others === [$clean] ? 'clean' : json_encode([$clean, $others]), "\n";
    }
    [$pids] = [array_unique(array_merge(...at_once(3, fn () => [$server->open()->query($server->pid)->fetchColumn()])))];
    echo count($pids), " connection\n";
    if ($server->isMySql()) {
        $server->observer()->exec('drop sequence weft_s');
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
isolation level: own LOST, others clean
1 connection
