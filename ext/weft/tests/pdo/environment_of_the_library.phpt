--TEST--
What libpq reads from the environment is part of who one is: nobody gets a connection that was opened with other variables
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_sqlite
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--INI--
weft.pdo_pool_max=3
weft.pdo_acquire_timeout=60
--FILE--
<?php
require __DIR__ . '/servers.inc';

use function Async\await;
use function Async\spawn;

preg_match('/host=([^;]+);port=(\d+)/', getenv('WEFT_TEST_PGSQL'), $place);
[, $host, $port] = $place;
$services = tempnam(sys_get_temp_dir(), 'weft');
file_put_contents($services, "[first]\ndbname=postgres\napplication_name=first\n[second]\ndbname=laravel_test\napplication_name=second\n");
$at = "pgsql:host=$host;port=$port;user=laravel";
$in = "$at;dbname=laravel";
$admin = new PDO($in);
$admin->exec('do $$ begin create role weft_other login; exception when duplicate_object then null; end $$');

// the data source, what to ask, and what the variables may be with what the answer is then
$cases = [
    'PGDATABASE' => [$at, 'select current_database()', ['laravel' => 'laravel', 'laravel_test' => 'laravel_test', 'postgres' => 'postgres']],
    'PGUSER' => ["pgsql:host=$host;port=$port;dbname=laravel", 'select current_user', ['laravel' => 'laravel', 'weft_other' => 'weft_other']],
    'PGTZ' => [$in, 'show timezone', ['Asia/Tokyo' => 'Asia/Tokyo', 'America/Lima' => 'America/Lima']],
    'PGAPPNAME' => [$in, 'show application_name', ['one' => 'one', 'two' => 'two']],
    'PGOPTIONS' => [$in, 'show statement_timeout', ['-c statement_timeout=12s' => '12s', '-c statement_timeout=13s' => '13s']],
    'PGDATESTYLE' => [$in, 'show datestyle', ['German' => 'German, DMY', 'SQL,DMY' => 'SQL, DMY']],
    'PGCLIENTENCODING' => [$in, 'show client_encoding', ['LATIN1' => 'LATIN1', 'UTF8' => 'UTF8']],
    'PGSERVICE' => [$at, 'select current_database()', ['first' => 'postgres', 'second' => 'laravel_test'], ["PGSERVICEFILE=$services"]],
    'PGHOST' => ["pgsql:port=$port;user=laravel;dbname=laravel", 'select 1', ['127.0.0.1' => '1', '127.0.0.255.invalid' => 'refused']],
    'PGPORT' => ["pgsql:host=$host;user=laravel;dbname=laravel", 'select 1', [$port => '1', '1' => 'refused']],
];
$base = new PDO($in);
$base->query('select 1');
mkdir($directory = $services . '.d');
chdir($directory);
$file = new PDO('sqlite:relative.db');
$file->exec('create table t (name); insert into t values (\'of the boot\')');

Weft\Isolation\snapshot();
foreach ($cases as $name => [$dsn, $sql, $values]) {
    $more = $cases[$name][3] ?? [];
    $wrong = array_filter(at_once(24, function (int $i) use ($name, $dsn, $sql, $values, $more) {
        array_map(putenv(...), $more);
        [$value, $expected] = [array_keys($values)[$i % count($values)], array_values($values)[$i % count($values)]];
        putenv("$name=$value");
        Async\delay($i % 3);
        try {
            $pdo = new PDO($dsn);
            if ($i % 2) {
                $pdo->beginTransaction();
            }
            $got = (string) $pdo->query($sql)->fetchColumn();
        } catch (PDOException) {
            $got = 'refused';
        }

        return $got === (string) $expected ? null : "$value: $got";
    }));
    echo "$name: ", count($wrong), ' wrong ', implode(', ', array_unique($wrong)), "\n";
}
Weft\Pool::closeIdle();

// set, connect, set back: more connections are opened later
echo implode(', ', array_unique(at_once(6, function (int $i) use ($at) {
    $database = ['laravel', 'laravel_test', 'postgres'][$i % 3];
    putenv("PGDATABASE=$database");
    $pdo = new PDO($at);
    putenv('PGDATABASE');
    putenv("PGAPPNAME=mine$i");
    $seen = [];
    $done = false;
    // a sibling looks at the environment while connections are opened
    $sibling = spawn(function () use (&$seen, &$done) {
        while (!$done) {
            $seen[var_export(getenv('PGDATABASE'), true) . ' ' . getenv('PGAPPNAME')] = true;
            Async\delay(0);
        }
    });
    $children = [];
    for ($child = 0; $child < 3; $child++) {
        $children[] = spawn(function () use ($pdo) {
            $pdo->beginTransaction();
            Async\delay(5);

            $got = $pdo->query("select current_database() || ' ' || current_setting('application_name')")->fetchColumn();
            $pdo->rollBack();

            return $got;
        });
    }
    $got = array_unique(array_map(fn ($child) => await($child), $children));
    $done = true;
    await($sibling);

    return $got === ["$database "] && array_keys($seen) === ["false mine$i"] && getenv('PGAPPNAME') === "mine$i" ? 'right' : json_encode([$database, $got, array_keys($seen)]);
}))), "\n";

// what was made before the snapshot is connected as it was then
Weft\Pool::closeIdle();
echo implode(', ', array_unique(at_once(6, function (int $i) use ($base, $file) {
    putenv('PGTZ=Asia/Tokyo');
    putenv("PGAPPNAME=other$i");
    chdir('/');
    $base->beginTransaction();

    return $base->query("select current_setting('application_name') || '|' || (current_setting('timezone') = 'Asia/Tokyo')::text")->fetchColumn()
        . '|' . $file->query('select name from t')->fetchColumn();
}))), "\n";

// the same variables, whatever their order, are the same pool
$pools = count(Weft\Pool::stats());
at_once(2, function (int $i) use ($in) {
    $variables = ['PGTZ=Asia/Tokyo', 'PGAPPNAME=same', 'PGDATESTYLE=German'];
    array_map(putenv(...), $i % 2 ? array_reverse($variables) : $variables);
    (new PDO($in))->query('select 1');
});
echo 'pools: ', count(Weft\Pool::stats()) - $pools, "\n";

$admin->exec('drop role weft_other');
unlink($services);
unlink("$directory/relative.db");
rmdir($directory);
?>
--EXPECT--
PGDATABASE: 0 wrong 
PGUSER: 0 wrong 
PGTZ: 0 wrong 
PGAPPNAME: 0 wrong 
PGOPTIONS: 0 wrong 
PGDATESTYLE: 0 wrong 
PGCLIENTENCODING: 0 wrong 
PGSERVICE: 0 wrong 
PGHOST: 0 wrong 
PGPORT: 0 wrong 
right
|false|of the boot
pools: 1
