--TEST--
Classic mode: FFI is withheld from scripts as under PHP-FPM, unless php.ini enables it
--EXTENSIONS--
weft
ffi
--FILE--
<?php
require __DIR__ . '/site.inc';

$script = ['index.php' => 'try { echo FFI::cdef("int getppid(void);")->getppid() > 0 ? "called" : ""; } catch (FFI\Exception $e) { echo $e->getMessage(); }'];
foreach (['preload', '1', '0'] as $enable) {
    $site = new Site($script, ["ffi.enable=$enable"]);
    echo $site->get('/'), "\n", $site->get('/'), "\n", $site->stop();
}
--EXPECT--
200 FFI API is restricted by "ffi.enable" configuration directive
200 FFI API is restricted by "ffi.enable" configuration directive
exit status 0
200 called
200 called
exit status 0
200 FFI API is restricted by "ffi.enable" configuration directive
200 FFI API is restricted by "ffi.enable" configuration directive
exit status 0
