--TEST--
Code of a booted application calls C through FFI where ffi.enable says so, as under PHP-FPM: not because the server began on the command line
--EXTENSIONS--
weft
ffi
--FILE--
<?php
require __DIR__ . '/server.inc';

$before = <<<'PHP'
    Weft\Server\become_server();
    try {
        FFI::cdef('int getpid(void);');
        fwrite(STDERR, "the boot may\n");
    } catch (FFI\Exception) {
    }
    PHP;
foreach (['preload', '1', '0'] as $enable) {
    $server = new Server(<<<'PHP'
        try {
            echo FFI::cdef('int getpid(void);')->getpid() === getmypid() ? 'called' : 'WRONG';
        } catch (FFI\Exception $e) {
            echo $e->getMessage();
        }
        PHP, ini: ["ffi.enable=$enable"], before: $before);
    echo $server->get('/'), "\n", trim($server->stop()), "\n";
}
?>
--EXPECT--
200 FFI API is restricted by "ffi.enable" configuration directive
exit status 0
200 called
exit status 0
the boot may
200 FFI API is restricted by "ffi.enable" configuration directive
exit status 0
