--TEST--
50 file_get_contents('http://…') at once, by name, against a server in sibling coroutines
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/helper.inc';
require __DIR__ . '/server.inc';
[$address, $server] = http_server(WAITS);
$address = str_replace('127.0.0.1', 'localhost', $address);
$got = interleave(fn (int $i): string => file_get_contents("$address/$i"));
Async\await($server);
var_dump($got === array_map(fn ($i) => "/$i", range(0, WAITS - 1)));
?>
--EXPECT--
begun before the first ended: 50 of 50
bool(true)
