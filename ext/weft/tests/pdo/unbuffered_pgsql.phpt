--TEST--
PostgreSQL's rows that PHP 8.5 has not taken in yet keep their connection, which siblings don't use meanwhile
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php
if (PHP_VERSION_ID < 80500) die('skip of PHP 8.5');
if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL');
?>
--INI--
weft.pdo_pool_max=2
--FILE--
<?php
require __DIR__ . '/servers.inc';

use function Async\await;
use function Async\delay;
use function Async\spawn;

const ROWS = 'select i, pg_backend_pid() from generate_series(1, 5000) i';

/** All rows, some of them only after others have had their turn; whether all came on one connection. */
function read_slowly(PDO $pdo, string $sql): string
{
    $statement = $pdo->prepare($sql, [PDO::ATTR_PREFETCH => 0]);
    $statement->execute();
    $sum = 0;
    $pids = [];
    while ($row = $statement->fetch(PDO::FETCH_NUM)) {
        $sum += $row[0];
        $pids[$row[1]] = true;
        if ($row[0] % 1000 === 1) {
            delay(1);
        }
    }

    return "$sum on " . count($pids);
}

[$server] = servers();
echo "-- a request's\n";
echo implode("\n", array_unique(at_once(8, fn () => read_slowly($server->open(), ROWS)))), "\n";
echo "-- siblings, on one object\n";
at_once(1, function () use ($server): void {
    $pdo = $server->open();
    $siblings = array_map(fn () => spawn(fn () => read_slowly($pdo, ROWS)), range(1, 2));
    foreach ($siblings as $sibling) {
        echo await($sibling), "\n";
    }
});
echo "-- given back when they are done with, and not before\n";
at_once(1, function () use ($server): void {
    $pdo = $server->open();
    $statement = $pdo->prepare(ROWS, [PDO::ATTR_PREFETCH => 0]);
    $statement->execute();
    $statement->fetch();
    $used = fn (): int => array_sum(array_column(Weft\Pool::stats(), 'leased'));
    echo $used(), "\n";
    unset($statement);
    echo $used(), "\n";
});
echo "-- left unread\n";
at_once(1, function () use ($server): void {
    $statement = $server->open()->prepare(ROWS, [PDO::ATTR_PREFETCH => 0]);
    $statement->execute();
    $statement->fetch();
});
echo implode("\n", array_unique(at_once(4, fn () => $server->open()->query('select 42')->fetchColumn()))), "\n";
?>
--EXPECT--
-- a request's
12502500 on 1
-- siblings, on one object
12502500 on 1
12502500 on 1
-- given back when they are done with, and not before
1
0
-- left unread
42
