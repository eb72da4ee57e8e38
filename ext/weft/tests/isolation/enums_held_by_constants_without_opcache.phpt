--TEST--
Constants, defaults and statics of a domain's classes may hold its enums' cases, without OPcache
--EXTENSIONS--
weft
--INI--
opcache.enable_cli=0
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
