--TEST--
Persistent connections come from the pool: one domain after the other, never two at once
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip WEFT_TEST_PGSQL gives no DSN'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

Weft\Isolation\snapshot();
$pids = [];
in_domains(function (string $me) use (&$pids) {
    $pdo = new PDO(getenv('WEFT_TEST_PGSQL'), null, null, [PDO::ATTR_PERSISTENT => true]);
    $pdo->beginTransaction();
    turn();
    $pids[] = $pdo->query('select pg_backend_pid()')->fetchColumn();
    turn();
    $pdo->commit();
    return $pdo->getAttribute(PDO::ATTR_PERSISTENT);
});
var_dump(count(array_unique($pids)));
in_domains(function (string $me) use (&$pids) {
    $pdo = new PDO(getenv('WEFT_TEST_PGSQL'), null, null, [PDO::ATTR_PERSISTENT => true]);
    return in_array($pdo->query('select pg_backend_pid()')->fetchColumn(), $pids, true);
});
class Sub extends PDO {}
foreach ([[PDO::class, [PDO::ATTR_PERSISTENT => false]], [PDO::class, []], [Sub::class, [PDO::ATTR_PERSISTENT => 'name']]] as [$class, $options]) {
    var_dump((new $class(getenv('WEFT_TEST_PGSQL'), null, null, $options))->getAttribute(PDO::ATTR_PERSISTENT));
}
?>
--EXPECT--
a: true
b: true
int(2)
a: true
b: true
bool(false)
bool(false)
bool(true)
