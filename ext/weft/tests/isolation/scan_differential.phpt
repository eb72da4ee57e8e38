--TEST--
The scan finds what a plain compare finds, under random writes in many domains
--EXTENSIONS--
weft
--ENV--
WEFT_SCAN_CHECK=1
--FILE--
<?php
$seed = 7;
require __DIR__ . '/scan_differential.inc';
?>
--EXPECT--
wrong: 0
left in the base: 0
bool(true)
bool(true)
bool(true)
bool(true)
