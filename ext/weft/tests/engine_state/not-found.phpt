--TEST--
A method that Weft would guard, and a loaded extension has not: one line tells, once
--SKIPIF--
<?php
if (PHP_VERSION_ID >= 80500) die('skip no setting takes a class away since 8.5');
if (!file_exists(ini_get('extension_dir') . '/intl.so')) die('skip no intl.so to load');
if (!extension_loaded('weft')) die('skip weft is not loaded');
?>
--FILE--
<?php
require __DIR__ . '/loaded.inc';
passthru(php_with_weft() . " -d disable_classes=Collator -d disable_functions=collator_sort -d extension=intl -r 'echo 1;' 2>&1");
?>
--EXPECTF--
%wWarning: Weft did not find collator::asort(), collator::sort(): what PHP keeps while they run, or they make of a connection, may be seen by other requests. %s in Unknown on line 0
1
