--TEST--
A cancelled call of pg_*() throws its cancellation, and no later query gets its result
--EXTENSIONS--
weft
pgsql
--INI--
error_reporting=E_ALL & ~E_DEPRECATED
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/cancelled.inc';

parse_str(strtr(substr(getenv('WEFT_TEST_PGSQL'), 6), ';', '&'), $to);
$to = "host=$to[host] port=$to[port] dbname=$to[dbname] user=$to[user]";
$open = fn () => pg_connect($to, PGSQL_CONNECT_FORCE_NEW);
$ask = fn ($link, $text) => pg_fetch_result(pg_query_params($link, 'select $1::text', [$text]), 0, 0);
cancel_at_random([
    'query' => fn ($link, $i) => pg_query($link, "select 'cancelled-$i', pg_sleep(0.008)"),
    'several' => fn ($link, $i) => pg_query($link, "select 'cancelled-$i'; select pg_sleep(0.004); select 'cancelled-$i', pg_sleep(0.004)"),
    'many rows' => fn ($link, $i) => pg_query($link, "select 'cancelled-$i', repeat('x', 1000), n, pg_sleep(0.0001) from generate_series(1, 60) n"),
    'parameters' => fn ($link, $i) => pg_query_params($link, 'select $1::text, pg_sleep(0.008)', ["cancelled-$i"]),
    'prepared' => function ($link, $i) {
        pg_prepare($link, 'slow', 'select $1::text, pg_sleep(0.004)');
        pg_execute($link, 'slow', ["cancelled-$i"]);
        pg_execute($link, 'slow', ["cancelled-$i"]);
    },
    'results one by one' => function ($link, $i) {
        pg_send_query($link, "select 'cancelled-$i', pg_sleep(0.004); select 'cancelled-$i', pg_sleep(0.004)");
        while (pg_get_result($link));
    },
    'copy in' => fn ($link, $i) => pg_query($link, 'create temporary table c (t text)') && pg_copy_from($link, 'c', array_fill(0, 50, "cancelled-$i\n"))
        && pg_query($link, "select pg_sleep(0.006)"),
    'transaction' => fn ($link, $i) => pg_query($link, 'begin') && pg_query($link, "select 'cancelled-$i', pg_sleep(0.004)") && pg_query($link, 'commit'),
    'connect' => fn ($link, $i) => pg_query(pg_connect("$to application_name=c$i", PGSQL_CONNECT_FORCE_NEW), 'select pg_sleep(0.003)'),
    'persistent' => fn ($link, $i) => pg_query(pg_pconnect("$to application_name=c$i"), "select 'cancelled-$i', pg_sleep(0.003)"),
], $open, $ask);

// the next who gets a persistent connection
$wrong = 0;
for ($i = 0; $i < 39; $i++) {
    $wrong += $ask(pg_pconnect("$to application_name=c$i"), "next-$i") === "next-$i" ? 0 : 1;
}
echo "persistent ones later: $wrong wrong\n";
?>
--EXPECT--
query: some cancelled, nothing else thrown, 0 wrong answers
several: some cancelled, nothing else thrown, 0 wrong answers
many rows: some cancelled, nothing else thrown, 0 wrong answers
parameters: some cancelled, nothing else thrown, 0 wrong answers
prepared: some cancelled, nothing else thrown, 0 wrong answers
results one by one: some cancelled, nothing else thrown, 0 wrong answers
copy in: some cancelled, nothing else thrown, 0 wrong answers
transaction: some cancelled, nothing else thrown, 0 wrong answers
connect: some cancelled, nothing else thrown, 0 wrong answers
persistent: some cancelled, nothing else thrown, 0 wrong answers
persistent ones later: 0 wrong
