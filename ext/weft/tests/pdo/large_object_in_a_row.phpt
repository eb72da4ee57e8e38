--TEST--
A column that is bound as a large object is a stream on the connection, which outlives its statement
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
Async\await(Async\spawn(function () {
    $pdo = new PDO(getenv('WEFT_TEST_PGSQL'));
    $pdo->beginTransaction();
    $oid = (int) $pdo->query("select lo_from_bytea(0, 'a large object')")->fetchColumn();
    $statement = $pdo->prepare('select ?::oid, 7');
    foreach (['one', 'another'] as $row) {
        $statement->execute([$oid]);
        $statement->bindColumn(1, $stream, PDO::PARAM_LOB);
        $statement->bindColumn(2, $number, PDO::PARAM_INT);
        $statement->fetch(PDO::FETCH_BOUND);
        echo "$row: ", stream_get_contents($stream), ", $number\n";
    }
    $statement = null;
    rewind($stream);
    echo 'without its statement: ', stream_get_contents($stream), "\n";
    $stream = null;
    echo 'after that: ', $pdo->query("select lo_unlink($oid)")->fetchColumn(), "\n";
    $pdo->commit();
}));
?>
--EXPECT--
one: a large object, 7
another: a large object, 7
without its statement: a large object
after that: 1
