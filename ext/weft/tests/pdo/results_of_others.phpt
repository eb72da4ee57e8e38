--TEST--
Who drops or closes a statement of MySQL's takes no results from the request that has its connection now
--EXTENSIONS--
weft
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_MYSQL'); ?>
--INI--
weft.pdo_pool_max=1
--FILE--
<?php
require __DIR__ . '/servers.inc';

$mysql = servers()[1];
$mysql->observer()->exec('create or replace procedure weft_three() begin select 1; select 2; select 3; end');
foreach (['drop' => fn (?PDOStatement &$statement) => $statement = null, 'close' => fn (?PDOStatement &$statement) => $statement->closeCursor()] as $name => $end) {
    $turn = 0;
    $until = function (int $number) use (&$turn): void {
        while ($turn < $number) {
            Async\delay(1);
        }
    };
    $first = Async\spawn(function () use ($mysql, $until, &$turn, $end) {
        $statement = $mysql->open()->prepare('select 7');
        $statement->execute();
        $statement->fetchAll();
        $turn = 1;
        $until(2);
        $end($statement);
        $turn = 3;
        return 'ended';
    });
    $second = Async\spawn(function () use ($mysql, $until, &$turn) {
        $until(1);
        $pdo = $mysql->open();
        $statement = $pdo->query('call weft_three()');
        $results = [$statement->fetchColumn()];
        $turn = 2;
        $until(3);
        for ($i = 0; $i < 2 && $statement->nextRowset(); $i++) {
            $results[] = $statement->fetchColumn();
        }
        return implode(', ', $results);
    });
    echo "$name: ", Async\await($first), '; ', Async\await($second), "\n";
}
$mysql->observer()->exec('drop procedure weft_three');
?>
--EXPECT--
drop: ended; 1, 2, 3
close: ended; 1, 2, 3
