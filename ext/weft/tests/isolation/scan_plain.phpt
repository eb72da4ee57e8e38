--TEST--
Without vector instructions of the processor the scan finds what a plain compare finds, under random writes in many domains
--EXTENSIONS--
weft
--ENV--
WEFT_SCAN_CHECK=1
WEFT_SCAN=plain
--FILE--
<?php
$seed = 8;
require __DIR__ . '/scan_differential.inc';
echo $stats["scanKernel"], "\n";
?>
--EXPECT--
wrong: 0
left in the base: 0
bool(true)
bool(true)
bool(true)
bool(true)
plain
