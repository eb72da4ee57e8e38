--TEST--
C functions that FFI makes are its module's: no other coroutine runs while they wait
--EXTENSIONS--
weft
ffi
--INI--
ffi.enable=1
--FILE--
<?php
use function Async\await;
use function Async\spawn;

/** How often another coroutine ran during the call. */
function turns_during(callable $call): int
{
    $turns = 0;
    $over = false;
    $other = spawn(function () use (&$turns, &$over): void {
        while (!$over) {
            $turns++;
            usleep(500);
        }
    });
    usleep(1000);
    $before = $turns;
    $call();
    $after = $turns;
    $over = true;
    await($other);
    return $after - $before;
}

$ways = [
    'usleep()' => fn () => usleep(3000),
    'a C function' => function (): void {
        $libc = FFI::cdef('int usleep(unsigned int microseconds);', 'libc.so.6');
        $libc->usleep(3000);
    },
    'a pointer to a C function' => function (): void {
        $libc = FFI::cdef('typedef int (*wait)(unsigned int); int usleep(unsigned int microseconds);', 'libc.so.6');
        $wait = $libc->new('wait');
        $wait = $libc->usleep;
        $wait(3000);
    },
];
foreach ($ways as $name => $call) {
    $turns = turns_during($call);
    echo $name, ': ', $turns === 0 ? 'not left' : 'left', "\n";
}
?>
--EXPECT--
usleep(): left
a C function: not left
a pointer to a C function: not left
