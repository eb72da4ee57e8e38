--TEST--
What a file has declared before a fatal error of the compiler is not there for other requests
--EXTENSIONS--
weft
--FILE--
<?php
$ini = ['opcache.enable_cli=0'];
require __DIR__ . '/compiling_fatal.inc';
?>
--EXPECTF_EXTERNAL--
compiling_fatal.txt
