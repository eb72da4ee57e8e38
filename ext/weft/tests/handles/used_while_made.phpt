--TEST--
An error handler that uses the handle of the boot whose stand-in is being made gets an exception
--EXTENSIONS--
weft
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
$link = pg_connect(strtr(substr(getenv('WEFT_TEST_PGSQL'), 6), ';', ' '));
// deprecated: it says so each time that it is called
@pg_setclientencoding($link, 'LATIN1');
Weft\Isolation\snapshot();

Weft\Isolation\run(function () use ($link) {
    $depth = 0;
    set_error_handler(function (int $level, string $message) use ($link, &$depth): bool {
        if (++$depth > 1) {
            echo "made within its making\n";
            return true;
        }
        echo $message, "\n";
        try {
            pg_query($link, 'select 1');
        } catch (Throwable $e) {
            echo $e::class, ': ', strstr($e->getMessage(), 'the request'), "\n";
        }
        return true;
    });
    echo pg_client_encoding($link), "\n";
    echo pg_client_encoding($link), "\n";
});
?>
--EXPECTF--
Function pg_setclientencoding() is deprecated%S
Weft\Isolation\HandleOfBootError: the request's own is just being made, by this use of it. %s
LATIN1
LATIN1
