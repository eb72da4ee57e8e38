--TEST--
A connection of pg_connect() of the boot is one of its own in each domain, also when it is not named
--EXTENSIONS--
weft
pgsql
--INI--
error_reporting=E_ALL & ~E_DEPRECATED
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

parse_str(strtr(substr(getenv('WEFT_TEST_PGSQL'), 6), ';', '&'), $parts);
$to = "host=$parts[host] port=$parts[port] dbname=$parts[dbname] user=$parts[user]";
$value = static fn (string $sql, PgSql\Connection ...$link): mixed => pg_fetch_result(pg_query(...[...$link, $sql]), 0, 0);

$first = pg_connect($to, PGSQL_CONNECT_FORCE_NEW);
pg_query($first, "set application_name = 'first'");
pg_set_client_encoding($first, 'LATIN1');
pg_prepare($first, 'who', 'select $1::text');
$last = pg_connect("$to options='-c application_name=last'", PGSQL_CONNECT_FORCE_NEW);
pg_query("set search_path = 'pg_catalog'");
$result = pg_query($first, 'select 1 as n');
$pids = [(int) $value('select pg_backend_pid()', $first), (int) $value('select pg_backend_pid()')];
Weft\Isolation\snapshot();

in_domains(function (string $me) use ($first, $last, $result, $value, &$pids, $to) {
    $pids[] = (int) $value('select pg_backend_pid()', $first);
    turn();
    $pids[] = (int) $value('select pg_backend_pid()');
    turn();
    pg_query($first, 'begin');
    pg_query($first, "create temporary table weft_handles as select '$me' as who");
    turn();
    pg_send_query($first, "select '$me', pg_sleep(0.01)");
    turn();
    $sent = pg_fetch_row(pg_get_result($first))[0];
    $answers = [$sent, $value('select who from weft_handles', $first), pg_fetch_result(pg_execute($first, 'who', [$me]), 0, 0)];
    turn();
    $report = [
        'answers' => $answers,
        'first' => [$value('show application_name', $first), pg_client_encoding($first)],
        'default' => [$value('show application_name'), $value('show search_path'), pg_client_encoding(), $value('show application_name', $last)],
        'same' => (int) $value('select pg_backend_pid()') === (int) $value('select pg_backend_pid()', $last),
    ];
    pg_connect("$to options='-c application_name=own'");
    turn();
    $report['own'] = [$value('show application_name'), $value('show application_name', $first), $value('show application_name', $last)];
    try {
        pg_fetch_all($result);
    } catch (Throwable $e) {
        $report['result'] = $e::class . ': ' . strtok(str_replace(__DIR__, '', $e->getMessage()), '.');
    }
    pg_query($first, 'commit');
    return $report;
});
echo 'connections: ', count(array_unique($pids)), "\n";
$open = static fn (): int => (int) $value('select count(*) from pg_stat_activity where pid in (' . implode(',', array_slice($pids, 2)) . ')', $first);
for ($i = 0; $i < 500 && $open() > 0; $i++) {
    Async\delay(5);
}
echo 'left when the domains are gone: ', $open(), "\n";
?>
--EXPECT--
a: {"answers":["a","a","a"],"first":["first","LATIN1"],"default":["last","pg_catalog","UTF8","last"],"same":true,"own":["own","first","last"],"result":"Weft\\Isolation\\HandleOfBootError: The PgSql\\Result made during boot at /pgsql"}
b: {"answers":["b","b","b"],"first":["first","LATIN1"],"default":["last","pg_catalog","UTF8","last"],"same":true,"own":["own","first","last"],"result":"Weft\\Isolation\\HandleOfBootError: The PgSql\\Result made during boot at /pgsql"}
connections: 6
left when the domains are gone: 0
