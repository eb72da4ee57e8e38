--TEST--
A class of the boot's code may be linked by any domain, and its statics are each one's own, without OPcache
--EXTENSIONS--
weft
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/classes_linked_late.inc';
?>
--EXPECT_EXTERNAL--
classes_linked_late.txt
