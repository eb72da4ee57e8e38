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
