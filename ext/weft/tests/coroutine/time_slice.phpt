--TEST--
A request that computes for longer than its slice loses its turn to others, new ones and those that wait included
--EXTENSIONS--
weft
--INI--
weft.time_slice=1
--FILE--
<?php
require __DIR__ . '/time_slices.inc';

[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
domains(
    function () use ($there) {
        say('the first computes');
        compute_until('the second computes') && say('alone for ever');
        fwrite($there, "x\n");
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
    function () use ($here) {
        fgets($here);
        say('the third has read');
    },
    function () {
        compute_until('the third has read');
        usleep(1000);
        say('the fourth has slept');
    },
);
?>
--EXPECT--
the first computes
the second computes
the third has read
the fourth has slept
the first ends
the second ends
