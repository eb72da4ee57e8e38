--TEST--
The base keeps its own later changes; domains start from the snapshot
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Service { public static string $value = 'base'; }
Weft\Isolation\snapshot();
Service::$value = 'changed later';
in_domains(function (string $me) {
    $before = Service::$value;
    Service::$value = $me;
    turn();
    return [$before, Service::$value];
});
var_dump(Service::$value);
?>
--EXPECT--
a: ["base","a"]
b: ["base","b"]
string(13) "changed later"
