--TEST--
A connection that the server closes while a statement's values are read is replaced before anything is sent (pdo_pgsql)
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip WEFT_TEST_PGSQL gives no DSN'); ?>
--FILE--
<?php
final class Value
{
    public function __construct(private readonly Closure $meanwhile)
    {
    }

    public function __toString(): string
    {
        ($this->meanwhile)();
        return '7';
    }
}

Async\await(Async\spawn(function () {
    $pdo = new PDO(getenv('WEFT_TEST_PGSQL'));
    /* other options: another pool */
    $observer = new PDO(getenv('WEFT_TEST_PGSQL') . ';application_name=observer');
    $backend = fn () => $pdo->query('select pg_backend_pid()')->fetchColumn();
    $first = $backend();
    $statement = $pdo->prepare('select ?::text');
    /* by reference: a value is made a string when it is bound, long before the connection is taken */
    $statement->bindParam(1, $value);
    $value = new Value(function () use ($observer, $first) {
        echo 'closed: ', var_export($observer->query("select pg_terminate_backend($first, 10000)")->fetchColumn(), true), "\n";
        /* its farewell has been sent; the end of the stream follows */
        Async\delay(100);
    });
    $statement->execute();
    echo 'answer: ', $statement->fetchColumn(), "\n";
    echo 'another one: ', var_export($backend() !== $first, true), "\n";
}));
?>
--EXPECT--
closed: true
answer: 7
another one: true
