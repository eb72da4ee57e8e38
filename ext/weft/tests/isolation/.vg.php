<?php
require __DIR__ . '/in_domains.inc';

final class Service { public static string $value = 'base'; }
var_dump(Weft\Isolation\enabled());
in_domains(function (string $me) {
    Service::$value .= $me;
    date_default_timezone_set($me === 'a' ? 'Asia/Tokyo' : 'Europe/Paris');
    ob_start();
    echo $me;
    turn();
    return [Service::$value, date_default_timezone_get(), ob_get_clean()];
});
var_dump(Service::$value);
?>