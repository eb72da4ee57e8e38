--TEST--
A procedure that fails is not called once more, because it may have committed a part
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

on_each_server(function (DatabaseServer $server) {
    $observer = $server->observer();
    $observer->exec('drop table if exists weft_calls');
    $observer->exec('create table weft_calls (x int)');
    $observer->exec($server->isMySql()
        ? "create or replace procedure weft_call(fails int) begin insert into weft_calls values (1); if fails then signal sqlstate '42000'; end if; end"
        : "create or replace procedure weft_call(fails int) language plpgsql as '"
            . "begin insert into weft_calls values (1); commit; if fails = 1 then raise sqlstate ''42000''; end if; end'");
    at_once(1, function () use ($server) {
        $pdo = $server->open();
        foreach ([0, 0, 1] as $fails) {
            echo strtok(caught(fn () => $pdo->prepare('call weft_call(?)')->execute([$fails])), ':'), "\n";
        }
    });
    echo $observer->query('select count(*) from weft_calls')->fetchColumn(), " calls\n";
    $observer->exec('drop procedure weft_call');
    $observer->exec('drop table weft_calls');
});
?>
--EXPECT--
-- pgsql
nothing
nothing
PDOException
3 calls
-- mysql
nothing
nothing
PDOException
3 calls
