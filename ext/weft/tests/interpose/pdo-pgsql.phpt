--TEST--
50 PostgreSQL connections and queries at once
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip WEFT_TEST_PGSQL gives no DSN'); ?>
--FILE--
<?php
require __DIR__ . '/helper.inc';
$got = interleave(function (int $i): int {
    $pdo = new PDO(getenv('WEFT_TEST_PGSQL'));
    $statement = $pdo->prepare('select pg_sleep(0.5), ?::int as x');
    $statement->execute([$i]);
    return (int) $statement->fetch(PDO::FETCH_ASSOC)['x'];
});
var_dump($got === range(0, WAITS - 1));
?>
--EXPECT--
begun before the first ended: 50 of 50
bool(true)
