--TEST--
A request's connection is closed at its end while garbage still holds it (pdo_pgsql)
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
    fn () => settled(fn () => $observer->query("select count(*) - 1 from pg_stat_activity where application_name = '$name'")->fetchColumn()),
);
?>
--EXPECT--
connections of the ended domain: 0
rows: 1
the collector comes:
  query: Error: PDO object is not initialized, constructor was not called
  begin: Error: PDO object is not initialized, constructor was not called
  errorInfo: Error: PDO object is not initialized, constructor was not called
  no method: Error: Call to undefined method PDO::nothingLikeIt()
  execute: Error: PDO object is uninitialized
  fetch: Error: PDO object is uninitialized
  foreach: Error: PDO object is uninitialized
  iterator: null
  row: "[false,\"gone\",\"gone\"]"
it found something: true
a coroutine that outlives the request: 2
connections after it: 0
