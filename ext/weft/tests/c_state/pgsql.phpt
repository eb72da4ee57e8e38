--TEST--
pg_connect() and pg_pconnect() give two domains two connections, and the default one is each domain's own
--EXTENSIONS--
weft
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip WEFT_TEST_PGSQL gives no DSN'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

parse_str(strtr(substr(getenv('WEFT_TEST_PGSQL'), 6), ';', '&'), $parts);
$to = "host=$parts[host] port=$parts[port] dbname=$parts[dbname] user=" . ($parts['user'] ?? 'postgres');
$pid = fn (PgSql\Connection ...$to): int => (int) pg_fetch_result(pg_query(...[...$to, 'select pg_backend_pid()']), 0, 0);
$boot = pg_connect($to);
$pids = [$pid($boot)];
Weft\Isolation\snapshot();
in_domains(function (string $me) use (&$pids, $to, $pid) {
    $own = pg_connect($to);
    turn();
    $persistent = pg_pconnect($to);
    turn();
    array_push($pids, $pid($own), $pid($persistent));
    turn();
    pg_query($own, "set application_name = '$me'");
    turn();
    return [
        pg_fetch_result(pg_query($own, 'show application_name'), 0, 0),
        pg_connect($to) === $own,
        @pg_fetch_result(pg_query('show application_name'), 0, 0),
    ];
});
array_push($pids, $pid($boot));
var_dump(count(array_unique($pids)));
?>
--EXPECT--
a: ["a",true,"a"]
b: ["b",true,"b"]
int(5)
