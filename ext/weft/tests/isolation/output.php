<?php
require __DIR__ . '/in_domains.inc';

Weft\Isolation\snapshot();
ob_start();
echo 'main';
in_domains(function (string $me) {
    $level = ob_get_level();
    ob_start(fn (string $text): string => strtoupper($text));
    echo "text of $me ";
    turn();
    ob_start();
    echo "inner of $me";
    turn();
    $inner = ob_get_clean();
    ob_end_flush();
    return [$level, $inner];
});
echo strtoupper(ob_get_clean()), "\n";
?>
