--TEST--
Classic mode: while the end of one request, which calls no PHP code any more, waits for a database, callbacks of others are called
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
require __DIR__ . '/../classic/site.inc';

$site = new Site([
    // an array is freed when no PHP code is called any more, and what its transaction has done is undone then
    'ends.php' => '$db = new PDO(getenv("WEFT_TEST_PGSQL")); $db->beginTransaction(); $db->exec("create temp table t (a int)"); $kept = [$db]; unset($db);
        ob_start(); touch($_SERVER["DOCUMENT_ROOT"] . "/ends-$_GET[who]"); echo "ends";',
    'calls.php' => 'echo "calls"; for ($i = 0; $i < 200; $i++) { usleep(100); $called = false;
        $list = [2, 1]; usort($list, function ($a, $b) use (&$called) { $called = true; return $a <=> $b; }); if (!$called) { echo " not called"; break; } }',
]);
$clients = [];
for ($i = 0; $i < 8; $i++) {
    $clients[] = $site->begin('/calls.php');
}
for ($round = 0; $round < 5; $round++) {
    for ($i = 0; $i < 8; $i++) {
        $ending[] = $site->begin("/ends.php?who=$round-$i");
    }
}
foreach ([...$clients, ...$ending] as $client) {
    $line = $client->response()?->line() ?? 'no response';
    $said[$line] = ($said[$line] ?? 0) + 1;
}
print_r($said);
echo $site->stop();
?>
--EXPECT--
Array
(
    [200 calls] => 8
    [200 ends] => 40
)
exit status 0
