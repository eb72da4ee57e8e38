--TEST--
A fatal error while a stand-in is made leaves no half-made connection behind
--EXTENSIONS--
weft
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$dsn = strtr(substr(getenv('WEFT_TEST_PGSQL'), 6), ';', ' ');
$name = 'weft-' . getmypid();
$server = new Server('
    if ($_GET["do"] === "die") {
        set_error_handler(fn () => trigger_error("while it is made", E_USER_ERROR) || true);
    }
    echo pg_client_encoding($GLOBALS["link"]);
', before: '
    $link = pg_connect("' . "$dsn application_name=$name" . '");
    // deprecated: it says so when it is repeated
    @pg_setclientencoding($link, "LATIN1");
');
$watch = pg_connect($dsn);
$count = fn (): int => (int) pg_fetch_result(pg_query_params($watch, 'select count(*) from pg_stat_activity where application_name = $1', [$name]), 0, 0);
echo "of the boot: ", $count(), "\n";
$answer = $server->get('/?do=die');
echo substr($answer, 0, 3), "\n";
// the server hears of a connection's end a moment after it
for ($i = 0; $i < 200 && $count() > 1; $i++) {
    usleep(10_000);
}
echo "after the fatal error: ", $count(), "\n";
echo $server->get('/?do=work'), "\n";
echo $server->stop();
?>
--EXPECTF--
of the boot: 1
500
after the fatal error: 1
200 LATIN1
exit status 0
%APHP Fatal error:  while it is made in %s
PHP Deprecated: %s
