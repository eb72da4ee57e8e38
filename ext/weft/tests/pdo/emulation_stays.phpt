--TEST--
A statement that moves to another connection is emulated there, or not, as it was when it was prepared
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=2
--FILE--
<?php
require __DIR__ . '/servers.inc';

on_each_server(function (DatabaseServer $server) {
    $server->observer()->exec('drop table if exists weft_emulated');
    $server->observer()->exec('create table weft_emulated (x varchar(10), y varchar(10))');
    foreach ([false, true] as $emulated) {
        at_once(1, function () use ($server, $emulated) {
            [$pdo, $other] = [$server->open(), $server->open()];
            $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, $emulated);
            $where = $pdo->query($server->pid)->fetchColumn();
            $statement = $pdo->prepare('insert into weft_emulated (x, y) values (?, ?)');
            $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, !$emulated);
            // takes the connection that it was prepared on
            $other->setAttribute(PDO::ATTR_EMULATE_PREPARES, $emulated);
            $other->setAttribute(PDO::ATTR_EMULATE_PREPARES, !$emulated);
            $other->beginTransaction();
            echo $other->query($server->pid)->fetchColumn() === $where ? 'elsewhere' : 'there', ': ';
            $statement->execute(['one', 'two']);
            $statement->execute(['three', 'four']);
            echo $statement->rowCount(), "\n";
        });
    }
    echo json_encode($server->observer()->query('select x, y from weft_emulated')->fetchAll(PDO::FETCH_NUM)), "\n";
    $server->observer()->exec('drop table weft_emulated');
});
?>
--EXPECT--
-- pgsql
elsewhere: 1
elsewhere: 1
[["one","two"],["three","four"],["one","two"],["three","four"]]
-- mysql
elsewhere: 1
elsewhere: 1
[["one","two"],["three","four"],["one","two"],["three","four"]]
