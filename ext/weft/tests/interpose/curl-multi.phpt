--TEST--
Ten curl_multi loops of five transfers each interleave
--EXTENSIONS--
weft
curl
--FILE--
<?php
require __DIR__ . '/helper.inc';
require __DIR__ . '/server.inc';
[$address, $server] = http_server(WAITS);
$got = interleave(function (int $i) use ($address): array {
    $multi = curl_multi_init();
    $handles = [];
    for ($k = 0; $k < 5; $k++) {
        $handles[$k] = curl_init("$address/$i-$k");
        curl_setopt($handles[$k], CURLOPT_RETURNTRANSFER, true);
        curl_multi_add_handle($multi, $handles[$k]);
    }
    do {
        curl_multi_exec($multi, $running);
        if ($running) {
            curl_multi_select($multi, 10);
        }
    } while ($running);
    return array_map(curl_multi_getcontent(...), $handles);
}, 10);
Async\await($server);
$wanted = array_map(fn ($i) => array_map(fn ($k) => "/$i-$k", range(0, 4)), range(0, 9));
var_dump($got === $wanted);
?>
--EXPECT--
begun before the first ended: 10 of 10
bool(true)
