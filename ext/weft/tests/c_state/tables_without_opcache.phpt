--TEST--
What a domain declares is its own, without OPcache
--EXTENSIONS--
weft
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/tables.inc';
?>
--EXPECT_EXTERNAL--
tables.txt
