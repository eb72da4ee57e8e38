--TEST--
After a fork the child gets connections of its own and never sends a byte on the parent's, not even at its end
--EXTENSIONS--
weft
pdo
pdo_pgsql
pcntl
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip WEFT_TEST_PGSQL gives no DSN'); ?>
--FILE--
<?php
$pdo = new PDO(getenv('WEFT_TEST_PGSQL'));
$statement = $pdo->prepare('select pg_backend_pid()');
$statement->execute();
$mine = $statement->fetchColumn();
Weft\Isolation\snapshot();
for ($i = 0; $i < 2; $i++) {
    $child = pcntl_fork();
    if ($child === 0) {
        $pid = $pdo->query('select pg_backend_pid()')->fetchColumn();
        $domain = Weft\Isolation\run(fn () => $pdo->query('select pg_backend_pid()')->fetchColumn());
        $statement->execute();
        $again = $statement->fetchColumn();
        echo 'child: ', var_export(in_array($mine, [$pid, $domain, $again], true), true), ' ', var_export($again === $pid, true), "\n";
        unset($statement, $pdo);
        exit(0);
    }
    pcntl_waitpid($child, $status);
    var_dump($status);
}
// had a child said good-bye or deallocated the statement, these would fail
$statement->execute();
var_dump($statement->fetchColumn() === $mine, $pdo->query('select 1')->fetchColumn());
?>
--EXPECT--
child: false true
int(0)
child: false true
int(0)
bool(true)
int(1)
