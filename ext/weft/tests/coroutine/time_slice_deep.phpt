--TEST--
A request that is alone goes on in deep code as fast as elsewhere, however often it is asked whether it may be left
--EXTENSIONS--
weft
--INI--
weft.time_slice=1
memory_limit=1G
max_execution_time=25
--FILE--
<?php
// With a look that costs more the deeper the code is, every call would come to the next one: minutes of CPU time, and
// PHP's own limit ends them. Nothing else here counts time.
require __DIR__ . '/time_slices.inc';

function down(int $calls): int
{
    return $calls === 0 ? 0 : 1 + down($calls - 1);
}

domains(
    function () {
        say(down(1_000_000) . ' calls deep and back');
    },
    function () {
        usleep(1000);
        say('the sleeper had its turn');
    },
);
?>
--EXPECT--
the sleeper had its turn
1000000 calls deep and back
