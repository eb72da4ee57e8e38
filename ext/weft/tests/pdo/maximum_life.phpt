--TEST--
A connection is replaced when it is older than weft.pdo_max_life, but never under the hands of its holder
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_max_life=1
weft.pdo_idle_time=0
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
on_each_server(function (DatabaseServer $server) {
    $pid = fn (?PDO $pdo = null) => (int) ($pdo ?? $server->open())->query($server->pid)->fetchColumn();
    [$first] = at_once(1, fn () => $pid());
    at_once(1, function () use ($server, $pid, $first) {
        $pdo = $server->open();
        $pdo->beginTransaction();
        $before = $pid($pdo);
        Async\delay(1500);
        echo 'young: ', json_encode($before === $first), ', held: ', json_encode($pid($pdo) === $before), "\n";
        $pdo->rollBack();
    });
    [$second] = at_once(1, fn () => $pid());
    echo 'replaced: ', json_encode($second !== $first), "\n";
});
?>
--EXPECT--
-- pgsql
young: true, held: true
replaced: true
-- mysql
young: true, held: true
replaced: true
