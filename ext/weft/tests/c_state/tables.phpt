--TEST--
What a domain declares is its own, and so is what its code remembers of it
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
require __DIR__ . '/tables.inc';
?>
--EXPECT_EXTERNAL--
tables.txt
