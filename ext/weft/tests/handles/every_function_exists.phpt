--TEST--
Every function that the list of what shapes a handle names exists where its module does; else a line tells at the start
--EXTENSIONS--
weft
mysqli
--SKIPIF--
<?php if (PHP_VERSION_ID >= 80500) die('skip no disable_classes'); ?>
--FILE--
<?php
$php = getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS');
passthru("$php -r 'echo \"all are there\";' 2>&1");
// as if a row were misspelt
passthru("$php -d disable_classes=mysqli -r 'echo \"one has no methods\";' 2>&1");
?>
--EXPECTF--
all are there
Warning: Weft did not find mysqli::%s(), %s: what PHP keeps while they run, or they make of a connection, may be seen by other requests. %s
one has no methods
