--TEST--
A class of the boot's code may be linked by any domain, and its statics are each one's own
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
require __DIR__ . '/classes_linked_late.inc';
?>
--EXPECT_EXTERNAL--
classes_linked_late.txt
