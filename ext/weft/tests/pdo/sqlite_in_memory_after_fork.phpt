--TEST--
A database in memory that the boot has filled is there in forked workers as well
--EXTENSIONS--
weft
pcntl
pdo_sqlite
--FILE--
<?php
$pdo = new PDO('sqlite::memory:');
$pdo->exec("create table t (name); insert into t values ('of the boot')");
Weft\Isolation\snapshot();

$request = static function () use ($pdo): void {
    echo implode(', ', $pdo->query('select name from t')->fetchAll(PDO::FETCH_COLUMN)), "\n";
    $pdo->exec("insert into t values ('of a request')");
};
$worker = pcntl_fork();
if ($worker === 0) {
    Weft\Isolation\run($request);
    Weft\Isolation\run($request);
    exit;
}
pcntl_waitpid($worker, $status);
Weft\Isolation\run($request);
?>
--EXPECT--
of the boot
of the boot
of the boot
