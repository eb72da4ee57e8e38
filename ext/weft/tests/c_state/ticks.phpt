--TEST--
Tick functions are the domain's
--EXTENSIONS--
weft
--FILE--
<?php
declare(ticks=1);
require __DIR__ . '/../isolation/in_domains.inc';

Weft\Isolation\snapshot();
in_domains(function (string $me) {
    $ticks = 0;
    if ($me === 'a') {
        register_tick_function(function () use (&$ticks) {
            $ticks++;
        });
    }
    turn();
    $before = $ticks;
    turn();
    return [$ticks > $before, $ticks > 0];
});
?>
--EXPECT--
a: [true,true]
b: [false,false]
