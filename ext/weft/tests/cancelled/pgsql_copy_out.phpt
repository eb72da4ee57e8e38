--TEST--
A cancelled pg_copy_to() throws its cancellation, and no later query gets its rows
--EXTENSIONS--
weft
pgsql
--INI--
; PHP forgets the rows that pg_copy_to() has, when their connection is lost: memory of the request's
report_memleaks=0
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/cancelled.inc';

parse_str(strtr(substr(getenv('WEFT_TEST_PGSQL'), 6), ';', '&'), $to);
cancel_at_random([
    'copy out' => fn ($link, $i) => pg_copy_to($link, "(select 'cancelled-$i', pg_sleep(0.0001), repeat('x', 1000) from generate_series(1, 60))"),
], fn () => pg_connect("host=$to[host] port=$to[port] dbname=$to[dbname] user=$to[user]", PGSQL_CONNECT_FORCE_NEW),
    fn ($link, $text) => pg_fetch_result(pg_query_params($link, 'select $1::text', [$text]), 0, 0));
?>
--EXPECT--
copy out: some cancelled, nothing else thrown, 0 wrong answers
