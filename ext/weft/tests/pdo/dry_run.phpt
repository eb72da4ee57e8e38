--TEST--
PDO: what a dry run sends to a database is rolled back and told, the application's own transactions included
--FILE--
<?php
require __DIR__ . '/servers.inc';

use function Weft\Internal\{dry_run, dry_run_undo};
use function Weft\Isolation\{run, snapshot};

snapshot();
$rows = static fn (PDO $pdo): string => implode(' ', $pdo->query('SELECT name FROM weft_dry ORDER BY name')->fetchAll(PDO::FETCH_COLUMN));

/** In a request of a dry run; tells the statements. */
function tried(callable $f): array
{
    $told = [];
    dry_run(true);
    run(function () use ($f, &$told): void {
        try {
            $f();
        } catch (PDOException $e) {
            echo '  ', preg_replace('/ at line.*/', '', $e->getMessage()), "\n";
        }
        $told = dry_run_undo();
    });
    dry_run(false);

    return $told;
}

function check(string $name, Closure $open, Closure $rows): void
{
    echo "$name\n";
    $open()->exec('DROP TABLE IF EXISTS weft_dry');
    $open()->exec('CREATE TABLE weft_dry (name VARCHAR(20))' . ($name === 'mysql' ? ' ENGINE=InnoDB' : ''));
    $open()->exec("INSERT INTO weft_dry VALUES ('kept')");

    echo '  ', json_encode(tried(static function () use ($open, $rows): void {
        $pdo = $open();
        $pdo->exec("INSERT INTO weft_dry VALUES ('exec')");
        $pdo->prepare('INSERT INTO weft_dry VALUES (?)')->execute(['prepared']);
        echo '  ', $rows($pdo), "\n";
    })), "\n  ", $rows($open()), "\n";

    tried(static function () use ($open, $rows): void {
        $pdo = $open();
        echo '  ', json_encode([$pdo->inTransaction(), $pdo->beginTransaction(), $pdo->inTransaction()]);
        $pdo->exec("INSERT INTO weft_dry VALUES ('gone')");
        echo json_encode([$pdo->rollBack(), $pdo->inTransaction(), $rows($pdo)]);
        $pdo->beginTransaction();
        $pdo->exec("INSERT INTO weft_dry VALUES ('committed')");
        echo json_encode([$pdo->commit(), $pdo->inTransaction(), $rows($pdo)]), "\n";
        $pdo->exec('BEGIN');
        $pdo->exec("INSERT INTO weft_dry VALUES ('by text')");
        echo '  ', json_encode($pdo->inTransaction());
        $pdo->exec('COMMIT;');
        $pdo->exec('SAVEPOINT one');
        $pdo->exec('ROLLBACK TO SAVEPOINT one');
        echo json_encode([$pdo->inTransaction(), $rows($pdo)]), "\n";
    });
    echo '  ', $rows($open()), "\n";

    // nothing of it may reach the table
    $several = "INSERT INTO weft_dry VALUES ('a'); ROLLBACK; INSERT INTO weft_dry VALUES ('b')";
    foreach (['COMMIT', "INSERT INTO weft_dry VALUES ('a'); COMMIT", ' end', "/* of */ -- a\n commit", $several] as $sql) {
        tried(static function () use ($open, $sql): void {
            $pdo = $open();
            $pdo->exec("INSERT INTO weft_dry VALUES ('before')");
            $pdo->exec($sql);
        });
    }
    tried(static function () use ($open): void {
        $pdo = $open();
        $pdo->exec("INSERT INTO weft_dry VALUES ('before')");
        $pdo->prepare('COMMIT')->execute();
    });
    if ($name === 'mysql') {
        foreach (['CREATE TABLE weft_dry_2 (a INT)', 'LOCK TABLES weft_dry WRITE', 'SET autocommit = 1'] as $sql) {
            tried(static function () use ($open, $sql): void {
                $pdo = $open();
                $pdo->exec("INSERT INTO weft_dry VALUES ('before')");
                $pdo->exec($sql);
            });
        }
    }
    echo '  ', $rows($open()), "\n";

    // afterwards, and outside of requests, all is as ever
    $open()->exec("INSERT INTO weft_dry VALUES ('new')");
    run(static function () use ($open): void {
        $pdo = $open();
        $pdo->beginTransaction();
        $pdo->exec("INSERT INTO weft_dry VALUES ('newer')");
        $pdo->commit();
    });
    echo '  ', $rows($open()), "\n";
    $open()->exec('DROP TABLE weft_dry');
}

on_each_server(static fn (DatabaseServer $server) => check($server->name, static fn (): PDO => $server->open(), $rows));
$file = tempnam(sys_get_temp_dir(), 'weft');
check('sqlite', static fn (): PDO => new PDO("sqlite:$file"), $rows);
// what SQLite takes outside of a transaction only
tried(static function () use ($file): void {
    $pdo = new PDO("sqlite:$file");
    $pdo->exec('PRAGMA synchronous = OFF');
    $pdo->exec('CREATE TABLE other (a)');
});
echo (new PDO("sqlite:$file"))->query('SELECT count(*) FROM sqlite_master')->fetchColumn(), " tables\n";
unlink($file);
?>
--EXPECT--
-- pgsql
pgsql
    exec kept prepared
["INSERT INTO weft_dry VALUES ('exec')","INSERT INTO weft_dry VALUES (?)","SELECT name FROM weft_dry ORDER BY name"]
  kept
  [false,true,true][true,false,"kept"][true,false,"committed kept"]
  true[false,"by text committed kept"]
  kept
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "COMMIT" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "INSERT INTO weft_dry VALUES ('a'); COMMIT" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; " end" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "/* of */ -- a
 commit" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "INSERT INTO weft_dry VALUES ('a'); ROLLBACK; INSERT INTO weft_dry VALUES ('b')" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "COMMIT" would commit it
  kept
  kept new newer
-- mysql
mysql
    exec kept prepared
["INSERT INTO weft_dry VALUES ('exec')","INSERT INTO weft_dry VALUES (?)","SELECT name FROM weft_dry ORDER BY name"]
  kept
  [false,true,true][true,false,"kept"][true,false,"committed kept"]
  true[false,"by text committed kept"]
  kept
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "COMMIT" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "INSERT INTO weft_dry VALUES ('a'); COMMIT" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; " end" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "/* of */ -- a
 commit" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "INSERT INTO weft_dry VALUES ('a'); ROLLBACK; INSERT INTO weft_dry VALUES ('b')" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "COMMIT" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "CREATE TABLE weft_dry_2 (a INT)" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "LOCK TABLES weft_dry WRITE" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "SET autocommit = 1" would commit it
  kept
  kept new newer
sqlite
    exec kept prepared
["INSERT INTO weft_dry VALUES ('exec')","INSERT INTO weft_dry VALUES (?)","SELECT name FROM weft_dry ORDER BY name"]
  kept
  [false,true,true][true,false,"kept"][true,false,"committed kept"]
  true[false,"by text committed kept"]
  kept
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "COMMIT" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "INSERT INTO weft_dry VALUES ('a'); COMMIT" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; " end" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "/* of */ -- a
 commit" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "INSERT INTO weft_dry VALUES ('a'); ROLLBACK; INSERT INTO weft_dry VALUES ('b')" would commit it
  SQLSTATE[25000]: Weft tries this page out and rolls back what it writes; "COMMIT" would commit it
  kept
  kept new newer
0 tables
