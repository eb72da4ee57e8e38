--TEST--
Two coroutines on one connection: the second is told so, and the connection stays whole
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip WEFT_TEST_PGSQL gives no DSN'); ?>
--FILE--
<?php
$pdo = new PDO(getenv('WEFT_TEST_PGSQL'));
$prepared = $pdo->prepare('select 3');
$first = Async\spawn(fn () => $pdo->query('select 1 from pg_sleep(0.2)')->fetchColumn());
Async\delay(20);
foreach ([fn () => $pdo->query('select 2'), fn () => $prepared->execute()] as $meanwhile) {
    try {
        $meanwhile();
        echo "not refused\n";
    } catch (PDOException $e) {
        echo $e->getMessage(), "\n";
    }
}
echo 'first: ', Async\await($first), "\n";
$prepared->execute();
echo 'then: ', $prepared->fetchColumn(), ' ', $pdo->query('select 4')->fetchColumn(), "\n";
?>
--EXPECT--
Another coroutine waits for an answer on this connection; await it first, or open a PDO in each coroutine
Another coroutine waits for an answer on this connection; await it first, or open a PDO in each coroutine
first: 1
then: 3 4
