--TEST--
What a file has declared before a fatal error of the compiler is not there for other requests, with OPcache
--EXTENSIONS--
weft
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
$ini = ['opcache.enable=1', 'opcache.enable_cli=1', 'opcache.file_update_protection=1000'];
require __DIR__ . '/compiling_fatal.inc';
?>
--EXPECTF_EXTERNAL--
compiling_fatal.txt
