--TEST--
Settings that a framework makes on each new PDO object: sent once per connection, right on every connection
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/servers.inc';

Weft\Isolation\snapshot();
$settings = [
    'pgsql' => [['set search_path to "weft_%s", public', "set time zone '%s'"], ['show search_path', 'show timezone'], ['a' => 'UTC', 'b' => 'Asia/Tokyo']],
    'mysql' => [["set session sql_mode='%s'", "set time_zone='%s'"], ['select @@sql_mode', 'select @@time_zone'], ['a' => '+01:00', 'b' => '+02:00']],
];
on_each_server(function (DatabaseServer $server) use ($settings) {
    [$set, $show, $zones] = $settings[$server->name];
    $request = function (string $who) use ($server, $set, $show, $zones) {
        $pdo = $server->open();
        $pdo->prepare(sprintf($set[0], $server->isMySql() ? ['a' => 'ANSI_QUOTES', 'b' => 'NO_ZERO_DATE'][$who] : $who))->execute();
        $pdo->exec(sprintf($set[1], $zones[$who]));
        Async\suspend();
        $seen = array_map(fn (string $sql) => $pdo->query($sql)->fetchColumn(), $show);
        $pdo->query($server->sleep(0.002))->fetchAll();
        return json_encode([...$seen, $pdo->query($show[0])->fetchColumn()], JSON_UNESCAPED_SLASHES);
    };
    $results = at_once(32, fn (int $i) => $request($i % 2 ? 'a' : 'b'));
    $different = array_unique($results);
    sort($different);
    echo json_encode($different, JSON_UNESCAPED_SLASHES), "\n";
    [$plain] = at_once(1, fn () => $server->open()->query($show[1])->fetchColumn());
    echo 'who sets nothing: ', in_array($plain, $zones, true) && $plain !== 'UTC' ? 'LEAKED' : 'the default', "\n";
    echo 'a wrong one: ', substr(at_once(1, fn () => caught(fn () => $server->open()->exec('set weft_nothing_like_it = 1')))[0], 0, 29), "\n";
    // in a transaction it goes with the transaction
    [$inside] = at_once(1, function () use ($server, $set, $show) {
        $pdo = $server->open();
        $before = $pdo->query($show[0])->fetchColumn();
        $pdo->beginTransaction();
        $pdo->exec(sprintf($set[0], $server->isMySql() ? 'NO_DIR_IN_CREATE' : 'rolled_back'));
        $pdo->rollBack();
        return $pdo->query($show[0])->fetchColumn() === $before;
    });
    echo 'rolled back: ', var_export($inside, true), "\n";
    [$after] = at_once(1, fn () => $server->open()->query($show[0])->fetchColumn());
    echo 'afterwards: ', preg_match('/rolled|NO_DIR/', $after) ? 'LEAKED' : 'clean', "\n";
});
?>
--EXPECT--
-- pgsql
["[\"weft_a, public\",\"UTC\",\"weft_a, public\"]","[\"weft_b, public\",\"Asia/Tokyo\",\"weft_b, public\"]"]
who sets nothing: the default
a wrong one: PDOException: SQLSTATE[42704]
rolled back: true
afterwards: clean
-- mysql
["[\"ANSI_QUOTES\",\"+01:00\",\"ANSI_QUOTES\"]","[\"NO_ZERO_DATE\",\"+02:00\",\"NO_ZERO_DATE\"]"]
who sets nothing: the default
a wrong one: PDOException: SQLSTATE[HY000]
rolled back: false
afterwards: clean
