--TEST--
A request that computes for longer than its slice loses its turn to others, new ones and those that wait included
--EXTENSIONS--
posix
weft
--INI--
weft.time_slice=1
--FILE--
<?php
require __DIR__ . '/time_slices.inc';

$pipe = sys_get_temp_dir() . '/weft-time-slice-' . getmypid();
posix_mkfifo($pipe, 0600);
domains(
    function () use ($pipe) {
        say('the first computes');
        compute_until('the second computes') && say('alone for ever');
        // for reading and writing: opening it waits for nobody
        fwrite($open = fopen($pipe, 'r+'), "x\n");
        // two that compute are always ready: descriptors and timers must not starve
        compute_until('the third has read') && say('the reader starves');
        compute_until('the fourth has slept') && say('the sleeper starves');
        say('the first ends');
    },
    function () {
        say('the second computes');
        compute_until('the first ends') && say('alone for ever');
        say('the second ends');
    },
    function () use ($pipe) {
        fgets(fopen($pipe, 'r+'));
        say('the third has read');
    },
    function () {
        compute_until('the third has read');
        usleep(1000);
        say('the fourth has slept');
    },
);
unlink($pipe);
?>
--EXPECT--
the first computes
the second computes
the third has read
the fourth has slept
the first ends
the second ends
