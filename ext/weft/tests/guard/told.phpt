--TEST--
An extension that is never left is told of once when it has kept the worker waiting, and not when it computes
--EXTENSIONS--
weft
ffi
--INI--
ffi.enable=1
--FILE--
<?php
use function Async\await;
use function Async\spawn;

await(spawn(fn () => null)); // FFI binds what is there now
$libc = FFI::cdef('int usleep(unsigned int microseconds); int poll(void *fds, unsigned long count, int timeout);', 'libc.so.6');
$libc->usleep(30000);
echo "alone: not told\n";
$other = spawn(fn () => usleep(200000));
$libc->usleep(1000);
echo "short: not told\n";
$libc->usleep(30000);
$libc->poll(null, 0, 30);
await($other);
?>
--EXPECTF--
alone: not told
short: not told
weft: the extension FFI has kept the worker waiting for %d ms: its calls are never left, so no other request ran meanwhile. Such calls are counted in weft_extension_blocked_seconds_total and not logged again; docs/extensions.md says what can be done
