--TEST--
A static variable that a suspended frame is bound to travels with its domain
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

function waits(string $me): array
{
    static $seen = [];
    turn();
    $seen[] = $me;
    turn();
    $seen[] = $me;
    return $seen;
}

waits('base');
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    return [waits($me), waits($me)];
});
echo json_encode(waits('main')), "\n";
?>
--EXPECT--
a: [["base","base","a","a"],["base","base","a","a","a","a"]]
b: [["base","base","b","b"],["base","base","b","b","b","b"]]
["base","base","main","main"]
