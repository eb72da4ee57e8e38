--TEST--
One coroutine at a time uses a connection of pgsql
--EXTENSIONS--
weft
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/calls_take_turns.inc';

$link = pg_connect(strtr(substr(getenv('WEFT_TEST_PGSQL'), 6), ';', ' '));
calls_take_turns(
    'pg_query',
    fn ($i) => pg_fetch_row(pg_query($link, "select $i, pg_sleep(0.02)"))[0],
    fn () => pg_close($link),
);
?>
--EXPECT--
pg_query: 1, 2, 3
pg_query: 4, closed
