--TEST--
A request's connection is closed at its end while garbage still holds it (pdo_sqlite)
--EXTENSIONS--
weft
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/closed_with_the_domain.inc';

$file = tempnam(sys_get_temp_dir(), 'weft');
show_the_end(
    fn () => new PDO("sqlite:$file"),
    fn () => settled(0, fn () => count(array_filter(glob('/proc/self/fd/*'), fn ($fd) => @readlink($fd) === $file)) - 1),
);
unlink($file);
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
