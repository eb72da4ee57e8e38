--TEST--
50 curl_exec() at once, against a server in sibling coroutines that answers only when all have asked
--EXTENSIONS--
weft
curl
--FILE--
<?php
require __DIR__ . '/helper.inc';
require __DIR__ . '/server.inc';
[$address, $server] = http_server(WAITS);
$got = interleave(function (int $i) use ($address): string {
    $curl = curl_init("$address/$i");
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    $body = curl_exec($curl);
    return $body === false ? curl_error($curl) : $body;
});
Async\await($server);
var_dump($got === array_map(fn ($i) => "/$i", range(0, WAITS - 1)));
?>
--EXPECT--
begun before the first ended: 50 of 50
bool(true)
