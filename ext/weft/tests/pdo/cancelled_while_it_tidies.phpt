--TEST--
Who is cancelled while his connection tells the server which statements are over takes it along: the answer is on its way
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--INI--
weft.pdo_pool_max=1
weft.pdo_statement_cache=1
--FILE--
<?php
require __DIR__ . '/wire.inc';

$wire = new Wire((string) getenv('WEFT_TEST_PGSQL'));
Weft\Isolation\snapshot();
$request = fn (Closure $work): Async\Coroutine => Async\spawn(fn () => Weft\Isolation\run(
    fn () => $work(new PDO($wire->dsn(), null, null, [PDO::ATTR_EMULATE_PREPARES => false])),
));

$wire->answersLate = 'DEALLOCATE';
$first = $request(function (PDO $pdo): void {
    $kept = $pdo->prepare('select 1');
    for ($i = 0; $i < 40; $i++) {
        $pdo->query("select $i")->fetchColumn();
        $kept->execute();
    }
    echo "at its end\n";
});
while (!$wire->late) {
    Async\delay(1);
}
$first->cancel();
try {
    Async\await($first);
} catch (Async\AsyncCancellation) {
    echo "cancelled\n";
}
echo json_encode(pool_of($wire->dsn())), "\n";
$second = $request(fn (PDO $pdo): array => [
    $pdo->query("select 'the second'")->fetchColumn(),
    $pdo->query("select 'the third'")->fetchColumn(),
]);
Async\delay(20);
$wire->answersLate = null;
echo 'answered: ', json_encode(Async\await($second)), "\n";
exit;
?>
--EXPECT--
cancelled
{"size":0,"leased":0,"waiting":0}
answered: ["the second","the third"]
