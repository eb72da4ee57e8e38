--TEST--
A request that waits for SQLite's lock lets the others run
--EXTENSIONS--
weft
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/servers.inc';

$file = tempnam(sys_get_temp_dir(), 'weft');
(new PDO("sqlite:$file"))->exec('create table t (n int)');
Weft\Isolation\snapshot();
$order = [];
$writer = fn (int $hold) => fn () => Weft\Isolation\run(function () use ($file, $hold) {
    $pdo = new PDO("sqlite:$file", null, null, [PDO::ATTR_TIMEOUT => 30]);
    $pdo->exec('begin immediate');
    $pdo->exec("insert into t values ($hold)");
    Async\delay($hold);
    $pdo->exec('commit');
});
$note = function (string $what, callable $work) use (&$order) {
    return Async\spawn(function () use ($what, $work, &$order) {
        Async\await(Async\spawn($work));
        $order[] = $what;
    });
};
$first = $note('the first', $writer(150));
Async\delay(10);
$second = $note('the second, which waits', $writer(1));
$other = $note('another', fn () => Async\delay(20));
array_map(Async\await(...), [$first, $second, $other]);
echo implode("\n", $order), "\n";
echo (new PDO("sqlite:$file"))->query('select count(*) from t')->fetchColumn(), " rows\n";
unlink($file);
?>
--EXPECT--
another
the first
the second, which waits
2 rows
