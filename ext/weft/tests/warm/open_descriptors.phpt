--TEST--
Warm: the open descriptors are told of, also where open_basedir does not allow to look
--INI--
open_basedir={PWD}
--FILE--
<?php
use function Weft\Internal\descriptors;

$before = descriptors();
var_dump(isset($before[0]), count(preg_grep('~^/proc/~', $before)));
$file = fopen(__FILE__, 'r');
var_dump(array_values(array_diff_assoc(descriptors(), $before)) === [realpath(__FILE__)]);
fclose($file);
var_dump(descriptors() === $before);
?>
--EXPECT--
bool(true)
int(0)
bool(true)
bool(true)
