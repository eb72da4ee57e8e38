--TEST--
A time slice does not end inside an autoloader or an output callback, but soon after
--EXTENSIONS--
weft
--INI--
weft.time_slice=1
--FILE--
<?php
require __DIR__ . '/time_slices.inc';

function compute_for_slices(): void
{
    $end = hrtime(true) + 30_000_000;
    while (hrtime(true) < $end) {
    }
}

spl_autoload_register(function (string $class) {
    say('the autoloader begins');
    compute_for_slices();
    say('the autoloader ends');
    eval("final class $class {}");
});
domains(
    function () {
        new Wanted();
        compute_until('the other one runs') && say('alone for ever');
        ob_start(function () {
            say('the output callback begins');
            compute_for_slices();
            say('the output callback ends');
            return '';
        });
        ob_end_flush();
        compute_until('the other one ends') && say('alone for ever');
    },
    function () {
        say('the other one runs');
        compute_until('the output callback ends');
        say('the other one ends');
    },
);
?>
--EXPECT--
the autoloader begins
the autoloader ends
the other one runs
the output callback begins
the output callback ends
the other one ends
