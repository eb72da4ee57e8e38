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
    fn () => count(array_filter(glob('/proc/self/fd/*'), fn ($fd) => @readlink($fd) === $file)) - 1,
);
unlink($file);
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
