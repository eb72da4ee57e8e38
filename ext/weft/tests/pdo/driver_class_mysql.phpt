--TEST--
Pdo\Mysql::getWarningCount() tells of the object's own last statement, whichever connection that ran on
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php
if (PHP_VERSION_ID < 80400) die('skip PHP 8.4 has the drivers\' classes');
if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL');
?>
--INI--
weft.pdo_pool_max=2
--FILE--
<?php
require __DIR__ . '/driver_classes.inc';

class Mine extends Pdo\Mysql
{
}

$dsn = (string) getenv('WEFT_TEST_MYSQL');
$makers = [
    fn () => PDO::connect($dsn),
    fn () => new Pdo\Mysql($dsn),
    fn () => new Mine($dsn),
    fn () => Mine::connect($dsn),
];

exercise_all(Pdo\Mysql::class, $makers, function (Pdo\Mysql $pdo): array {
    $counts = [$pdo->getWarningCount()];
    $pdo->setAttribute(PDO::ATTR_EMULATE_PREPARES, false);
    foreach (['select 1', "select 1 + 'a'", "select 1 + 'a', 2 + 'b'"] as $sql) {
        $pdo->query($sql)->fetchAll();
        $counts[] = $pdo->getWarningCount();
        $pdo->exec('set names utf8mb4');
        $counts[] = $pdo->getWarningCount();
        $statement = $pdo->prepare($sql);
        $statement->execute();
        $counts[] = $pdo->getWarningCount();
    }
    $pdo->setAttribute(Pdo\Mysql::ATTR_USE_BUFFERED_QUERY, false);
    $statement = $pdo->query("select 1 + 'a'");
    while ($statement->fetch()) {
    }
    $counts[] = $pdo->getWarningCount();

    return ['getWarningCount' => $counts];
});

echo "-- two objects, on the same connections\n";
at_once(1, function () use ($dsn): void {
    [$one, $other] = [PDO::connect($dsn), PDO::connect($dsn)];
    $one->query("select 1 + 'a'")->fetchAll();
    $other->query('select 1')->fetchAll();
    echo $one->getWarningCount(), ' ', $other->getWarningCount(), "\n";
    $other->quote('a');
    echo $one->getWarningCount(), ' ', $other->getWarningCount(), "\n";
    $other->query("select 1 + 'a', 2 + 'b'")->fetchAll();
    $one->quote('a');
    echo $one->getWarningCount(), ' ', $other->getWarningCount(), "\n";
});
$ids = at_once(20, fn () => PDO::connect($dsn)->query('select connection_id()')->fetchColumn());
echo count(array_unique($ids)) <= 2 ? "a pool\n" : "no pool\n";
?>
--EXPECT--
getWarningCount: [0,0,0,0,1,0,1,2,0,2,1]
-- two objects, on the same connections
1 0
1 0
1 2
a pool
