--TEST--
50 MySQL connections and queries at once
--EXTENSIONS--
weft
pdo
mysqlnd
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_MYSQL')) die('skip WEFT_TEST_MYSQL gives no DSN'); ?>
--FILE--
<?php
require __DIR__ . '/helper.inc';
preg_match('/user=([^;]*)/', getenv('WEFT_TEST_MYSQL'), $user);
$got = interleave(function (int $i) use ($user): int {
    $pdo = new PDO(getenv('WEFT_TEST_MYSQL'), $user[1] ?? null);
    $statement = $pdo->prepare('select sleep(0.5), ? as x');
    $statement->execute([$i]);
    return (int) $statement->fetch(PDO::FETCH_ASSOC)['x'];
});
var_dump($got === range(0, WAITS - 1));
?>
--EXPECT--
begun before the first ended: 50 of 50
bool(true)
