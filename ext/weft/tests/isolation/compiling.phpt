--TEST--
Nothing else runs while a file of a domain is compiled: what an error handler loads is for all, what the file declares is not
--EXTENSIONS--
weft
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/compiling.inc';
?>
--EXPECTF_EXTERNAL--
compiling.txt
