--TEST--
mysqli_report() in one domain does not change how another reports
--EXTENSIONS--
weft
mysqli
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    if ($me === 'a') {
        mysqli_report(MYSQLI_REPORT_OFF);
    }
    turn();
    return (new mysqli_driver())->report_mode === MYSQLI_REPORT_OFF ? 'off' : 'strict';
}, 'a', 'b', 'c');
?>
--EXPECT--
a: "off"
b: "strict"
c: "strict"
