--TEST--
Who inserts without a sequence does not hear of the sequence that another request has moved (pdo_pgsql)
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--INI--
weft.pdo_pool_max=1
--FILE--
<?php
require __DIR__ . '/servers.inc';

[$server] = servers();
foreach (['drop table if exists weft_with, weft_without', 'create table weft_with (id serial, x int)', 'create table weft_without (x int)'] as $sql) {
    $server->observer()->exec($sql);
}
$insert = fn (string $table) => at_once(1, function () use ($server, $table) {
    $pdo = $server->open();
    $pdo->exec("insert into $table (x) values (1)");
    return strtok(caught(function () use ($pdo, &$id) {
        $id = $pdo->lastInsertId();
    }), ':') . ' ' . $id;
})[0];
echo $insert('weft_with'), "\n", $insert('weft_with'), "\n", $insert('weft_without'), "\n", $insert('weft_with'), "\n", $insert('weft_without'), "\n";
$server->observer()->exec('drop table weft_with, weft_without');
?>
--EXPECT--
nothing 1
nothing 2
PDOException 
nothing 3
PDOException 
