--TEST--
Constants, defaults and statics of a domain's classes may hold its enums' cases, which go with it
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
opcache.file_update_protection=0
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
require __DIR__ . '/enums_held_by_constants.inc';
?>
--EXPECT--
grows: false
string(1) "B"
bool(true)
bool(true)
string(1) "b"
string(1) "a"
string(1) "A"
