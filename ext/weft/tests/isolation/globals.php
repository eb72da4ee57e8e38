<?php
require __DIR__ . '/in_domains.inc';

function add_global(string $name, mixed $value): void
{
    $GLOBALS[$name] = $value;
}

$mains = 'base';
$gone = 'base';
add_global('dynamic', 'base');
add_global('dynamicGone', 'base');
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    global $mains, $appears;
    $before = [$mains, $appears, $GLOBALS['gone'] ?? null, $GLOBALS['dynamic'], $GLOBALS['new'] ?? null, $GLOBALS['dynamicGone'] ?? null];
    $mains = $me;
    $appears = $me;
    unset($GLOBALS['gone'], $GLOBALS['dynamicGone']);
    $GLOBALS['dynamic'] .= $me;
    $GLOBALS['new'] = $me;
    for ($i = 0; $i < 40; $i++) {
        add_global("many_{$me}_$i", $me);
    }
    turn();
    $mains .= $me;
    turn();
    $many = count(preg_grep('/^many_/', array_keys($GLOBALS)));
    return [$before, [$mains, $appears, $GLOBALS['gone'] ?? null, $GLOBALS['dynamic'], $GLOBALS['new'] ?? null, $GLOBALS['dynamicGone'] ?? null, $many]];
});
echo json_encode([$mains, $appears ?? null, $gone, $dynamic, $new ?? null, $dynamicGone, isset($many_a_1)]), "\n";
?>
