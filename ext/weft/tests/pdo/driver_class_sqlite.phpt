--TEST--
Every method of Pdo\Sqlite works, in a script and in requests, and what a callback does is its request's
--EXTENSIONS--
weft
pdo
pdo_sqlite
--SKIPIF--
<?php if (PHP_VERSION_ID < 80400) die('skip PHP 8.4 has the drivers\' classes'); ?>
--FILE--
<?php
require __DIR__ . '/driver_classes.inc';

class Mine extends Pdo\Sqlite
{
}

function of_this_request(): string
{
    static $mark;
    Async\delay(1);

    return $mark ??= uniqid();
}

exercise_all(Pdo\Sqlite::class, [
    fn () => PDO::connect('sqlite::memory:'),
    fn () => new Pdo\Sqlite('sqlite::memory:'),
    fn () => new Mine('sqlite::memory:'),
    fn () => Mine::connect('sqlite::memory:'),
], function (Pdo\Sqlite $pdo): array {
    $said = [];
    $pdo->exec("create table t (id integer primary key, name text, body blob); insert into t values (1, 'b', x'414243'), (2, 'A', null)");
    $pdo->createFunction('mark', of_this_request(...), 0);
    $said['createFunction'] = $pdo->query('select mark()')->fetchColumn() === of_this_request();
    $pdo->createAggregate(
        'joined',
        function (?array $context, int $row, string $value): array {
            Async\delay(1);
            $context[] = $value;

            return $context;
        },
        fn (?array $context, int $rows): string => implode(',', $context ?? []),
        1,
    );
    $said['createAggregate'] = $pdo->query('select joined(name) from t')->fetchColumn();
    $pdo->createCollation('backwards', fn (string $a, string $b): int => strcmp($b, $a));
    $said['createCollation'] = $pdo->query('select name from t order by name collate backwards')->fetchAll(PDO::FETCH_COLUMN);
    $blob = $pdo->openBlob('t', 'body', 1);
    $said['openBlob'] = stream_get_contents($blob);
    fclose($blob);
    $said['loadExtension'] = explode(':', caught(fn () => $pdo->loadExtension('/there/is/none.so')))[0];

    return $said;
}, ['setAuthorizer']);

echo "-- others\n";
echo caught(fn () => (new ReflectionClass(Pdo\Sqlite::class))->newInstanceWithoutConstructor()->createFunction('f', 'strlen')), "\n";
$plain = new Pdo\Sqlite('sqlite::memory:', null, null, [PDO::ATTR_PERSISTENT => true]);
var_dump($plain->createFunction('twice', fn (int $n): int => 2 * $n), $plain->query('select twice(21)')->fetchColumn());
echo caught(fn () => $plain->createFunction('f', 'no_such_function')), "\n";
?>
--EXPECT--
createFunction: true
createAggregate: "b,A"
createCollation: ["b","A"]
openBlob: "ABC"
loadExtension: "PDOException"
-- others
Error: Pdo\Sqlite object is uninitialized
bool(true)
int(42)
TypeError: Pdo\Sqlite::createFunction(): Argument #2 ($callback) must be a valid callback, function "no_such_function" not found or invalid function name
