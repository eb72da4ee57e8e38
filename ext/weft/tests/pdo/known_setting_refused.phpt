--TEST--
A setting that others made before is refused aloud
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=1
--FILE--
<?php
require __DIR__ . '/servers.inc';

[$server] = servers();
at_once(1, fn () => $server->open()->exec('set extra_float_digits to 2'));
at_once(1, function () use ($server) {
    $pdo = $server->open();
    $statement = $pdo->prepare('set extra_float_digits to 2');
    $pdo->beginTransaction();
    caught(fn () => $pdo->exec('select 1 / 0'));
    echo strtok(caught(fn () => $statement->execute()), "\n"), "\n", $statement->errorCode(), "\n", strtok($statement->errorInfo()[2], "\n"), "\n";
});
?>
--EXPECT--
PDOException: SQLSTATE[25P02]: In failed sql transaction: 7 ERROR:  current transaction is aborted, commands ignored until end of transaction block
25P02
ERROR:  current transaction is aborted, commands ignored until end of transaction block
