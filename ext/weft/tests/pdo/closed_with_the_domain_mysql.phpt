--TEST--
A request's connection is clean and free at its end while garbage still holds it (pdo_mysql, buffered or not)
--EXTENSIONS--
weft
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_MYSQL')) die('skip WEFT_TEST_MYSQL gives no DSN'); ?>
--FILE--
<?php
require __DIR__ . '/closed_with_the_domain.inc';

preg_match("/user=([^;]*)/", getenv('WEFT_TEST_MYSQL'), $user);
$observer = new PDO(getenv('WEFT_TEST_MYSQL'), $user[1]);
$observer->exec('drop database if exists weft_closed');
$observer->exec('create database weft_closed');
foreach ([[true, 0], [false, 1]] as [$emulated, $kept]) {
    show_the_end(
        fn () => new PDO(preg_replace('/dbname=[^;]*/', 'dbname=weft_closed', getenv('WEFT_TEST_MYSQL')), $user[1], null, [PDO::ATTR_EMULATE_PREPARES => $emulated]),
        fn () => settled($kept, fn () => $observer->query("select count(*) - 1 from information_schema.processlist where db = 'weft_closed'")->fetchColumn()),
    );
}
$observer->exec('drop database weft_closed');
?>
--EXPECT--
connections of the ended domain: 0
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
connections after it: 0
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
