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