--TEST--
A request's connection is clean and free at its end while garbage still holds it (pdo_pgsql)
--EXTENSIONS--
weft
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip WEFT_TEST_PGSQL gives no DSN'); ?>
--FILE--
<?php
require __DIR__ . '/closed_with_the_domain.inc';

$name = 'weft-' . bin2hex(random_bytes(4));
$observer = new PDO(getenv('WEFT_TEST_PGSQL'));
show_the_end(
    fn () => new PDO(getenv('WEFT_TEST_PGSQL') . ";application_name=$name", null, null, [PDO::ATTR_EMULATE_PREPARES => false]),
    fn () => settled(1, fn () => $observer->query("select count(*) - 1 from pg_stat_activity where application_name = '$name'")->fetchColumn()),
);
?>
--EXPECT--
connections of the ended domain: 1
rows: 1
the collector comes:
  query: Error: This PDO object's connection is closed: the request that opened it has ended
  begin: Error: This PDO object's connection is closed: the request that opened it has ended
  errorInfo: ["00000",null,null]
  no method: Error: Call to undefined method PDO::nothingLikeIt()
  execute: PDOException: SQLSTATE[HY010]: This statement was prepared on a connection of another request or of the boot; prepare it again here
  fetch: false
  foreach: []
  iterator: null
  row: PDOException: SQLSTATE[HY010]: This statement was prepared on a connection of another request or of the boot; prepare it again here
it found something: true
a coroutine that outlives the request: 2
connections after it: 1
