--TEST--
Nothing else runs while a file of a domain is compiled that OPcache does not keep
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
opcache.file_update_protection=1000
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
require __DIR__ . '/compiling.inc';
?>
--EXPECTF_EXTERNAL--
compiling.txt
