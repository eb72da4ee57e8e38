--TEST--
When no connection becomes free in time, the error says since when they are leased, and the log to whom; a server that refuses is an error, not a wait
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=2
weft.pdo_acquire_timeout=0.1
--FILE--
<?php
require __DIR__ . '/servers.inc';

ini_set('error_log', $log = tempnam(sys_get_temp_dir(), 'weft'));
Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) use ($log) {
    $hide = fn (string $text) => preg_replace(
        ['/port=\d+/', '/\d+\.\d s/', '/dbname=\w+;user=\w+/', '/dbname=\w+/', '/select \d/', '/^\[.+?\] /m'],
        ['port=P', 'T s', 'dbname=D;user=U', 'dbname=D', 'select N', ''],
        $text,
    );
    [, , $third] = at_once(3, function (int $i) use ($server) {
        $pdo = $server->open();
        if ($i === 2) {
            Async\delay(10);
            return caught(fn () => $pdo->query('select 3')) . "\n" . $pdo->errorCode();
        }
        $pdo->beginTransaction();
        $pdo->query("select $i, 'a\nline of its own'");
        Async\delay(300);
        $pdo->commit();
        return '';
    });
    echo $hide($third), "\n";
    echo 'log: ', $hide(file_get_contents($log));
    file_put_contents($log, '');
    echo 'free again: ', at_once(1, fn () => $server->open()->query('select 4')->fetchColumn())[0], "\n";
    $refused = array_unique(at_once(8, fn () => substr(caught(fn () => new PDO("{$server->name}:host=127.0.0.1;port=1;dbname=x", 'u', 'p')), 0, 27)));
    echo implode('|', $refused), "\n";
});
unlink($log);
?>
--EXPECT--
-- pgsql
PDOException: SQLSTATE[HYT00]: No connection became free within T s (weft.pdo_acquire_timeout). Pool pgsql:host=127.0.0.1;port=P;dbname=D;user=U as laravel: 2 connections (weft.pdo_pool_max), 1 waiting; leased for T s in a transaction, for T s in a transaction. The log says to whom
00000
log: weft: no database connection is free. Pool pgsql:host=127.0.0.1;port=P;dbname=D;user=U as laravel: 2 connections (weft.pdo_pool_max), 1 waiting; a script for T s in a transaction, last statement: select N, 'a\nline of its own'; a script for T s in a transaction, last statement: select N, 'a\nline of its own'
free again: 4
PDOException: SQLSTATE[0800
-- mysql
PDOException: SQLSTATE[HYT00]: No connection became free within T s (weft.pdo_acquire_timeout). Pool mysql:host=127.0.0.1;port=P;dbname=D;user=U as weft: 2 connections (weft.pdo_pool_max), 1 waiting; leased for T s in a transaction, for T s in a transaction. The log says to whom
00000
log: weft: no database connection is free. Pool mysql:host=127.0.0.1;port=P;dbname=D;user=U as weft: 2 connections (weft.pdo_pool_max), 1 waiting; a script for T s in a transaction, last statement: select N, 'a\nline of its own'; a script for T s in a transaction, last statement: select N, 'a\nline of its own'
free again: 4
PDOException: SQLSTATE[HY00
