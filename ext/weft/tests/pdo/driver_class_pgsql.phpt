--TEST--
Every method of Pdo\Pgsql works on a connection of the pool, and no callback outlives its request
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
weft.pdo_pool_max=3
--FILE--
<?php
require __DIR__ . '/driver_classes.inc';

class Mine extends Pdo\Pgsql
{
    public function escapeIdentifier(string $input): string
    {
        return parent::escapeIdentifier($input);
    }
}

$dsn = (string) getenv('WEFT_TEST_PGSQL');
$heard = [];

exercise_all(Pdo\Pgsql::class, [
    fn () => PDO::connect($dsn),
    fn () => new Pdo\Pgsql($dsn),
    fn () => new Mine($dsn),
    fn () => Mine::connect($dsn),
], function (Pdo\Pgsql $pdo) use (&$heard): array {
    $said = ['escapeIdentifier' => $pdo->escapeIdentifier('a "b"')];
    $pdo->beginTransaction();
    $pid = $pdo->getPid();
    $said['getPid'] = $pid === $pdo->query('select pg_backend_pid()')->fetchColumn();
    $pdo->exec('create temporary table copied (id int, name text) on commit drop');
    $said['copyFromArray'] = $pdo->copyFromArray('copied', ["1\tone", "2\ttwo"]);
    $file = tempnam(sys_get_temp_dir(), 'weft');
    $said['copyToFile'] = $pdo->copyToFile('copied', $file, ';');
    $said['copyFromFile'] = $pdo->copyFromFile('copied', $file, ';');
    unlink($file);
    $copy = $pdo->copyToArray(...);
    $said['copyToArray'] = $copy('copied');
    $oid = $pdo->lobCreate();
    $said['lobCreate'] = (int) $oid > 0;
    $lob = $pdo->lobOpen($oid, 'w');
    fwrite($lob, 'a large object');
    fclose($lob);
    $said['lobOpen'] = stream_get_contents($pdo->lobOpen($oid));
    $said['lobUnlink'] = $pdo->lobUnlink($oid);
    $notices = [];
    $pdo->setNoticeCallback(function (string $notice) use (&$notices, &$heard): void {
        Async\delay(1);
        $notices[] = trim($notice);
        $heard[] = $notice;
    });
    $pdo->exec('do $$ begin raise notice \'heard\'; end $$');
    $pdo->commit();
    $said['setNoticeCallback'] = $notices;
    $pdo->exec("listen weft_$pid");
    $pdo->exec("notify weft_$pid, 'for this one'");
    $said['getNotify'] = $pdo->getNotify(PDO::FETCH_NUM, 1000)[2];
    $said['the error'] = caught(fn () => $pdo->copyFromArray('there_is_none', ['1'])) . ' ' . $pdo->errorInfo()[0];

    return $said;
});

echo "-- afterwards\n";
$heard = [];
at_once(6, fn () => PDO::connect($dsn)->exec('do $$ begin raise notice \'of another\'; end $$'));
var_dump($heard);
at_once(2, function () use ($dsn): void {
    $pdo = PDO::connect($dsn);
    echo $pdo::class . ' ' . $pdo->exec('notify nobody') . "\n";
});
echo caught(fn () => (new ReflectionClass(Pdo\Pgsql::class))->newInstanceWithoutConstructor()->getPid()), "\n";
$pids = at_once(20, fn () => PDO::connect($dsn)->getPid());
echo count(array_unique($pids)) <= 3 ? "a pool\n" : "no pool\n";
foreach (['known' => $dsn, 'new' => "$dsn;options=--lock_timeout=4321"] as $pool => $of_pool) {
    echo "-- to a $pool pool\n";
    echo caught(fn () => new Pdo\Mysql($of_pool)), "\n";
    echo caught(fn () => Pdo\Mysql::connect($of_pool)), "\n";
}
?>
--EXPECT--
escapeIdentifier: "\"a \"\"b\"\"\""
getPid: true
copyFromArray: true
copyToFile: true
copyFromFile: true
copyToArray: ["1\tone\n","2\ttwo\n","1\tone\n","2\ttwo\n"]
lobCreate: true
lobOpen: "a large object"
lobUnlink: true
setNoticeCallback: ["NOTICE:  heard"]
getNotify: "for this one"
the error: "PDOException: SQLSTATE[42P01]: Undefined table: 7 ERROR:  relation \"there_is_none\" does not exist 42P01"
-- afterwards
array(0) {
}
Pdo\Pgsql 0
Pdo\Pgsql 0
Error: Pdo\Pgsql object is uninitialized
a pool
-- to a known pool
PDOException: Pdo\Mysql::__construct() cannot be used for connecting to the "pgsql" driver, either call Pdo\Pgsql::__construct() or PDO::__construct() instead
PDOException: Pdo\Mysql::connect() cannot be used for connecting to the "pgsql" driver, either call Pdo\Pgsql::connect() or PDO::connect() instead
-- to a new pool
PDOException: Pdo\Mysql::__construct() cannot be used for connecting to the "pgsql" driver, either call Pdo\Pgsql::__construct() or PDO::__construct() instead
PDOException: Pdo\Mysql::connect() cannot be used for connecting to the "pgsql" driver, either call Pdo\Pgsql::connect() or PDO::connect() instead
