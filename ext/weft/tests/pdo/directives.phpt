--TEST--
A size of pools that can't be meant is refused, and the default holds
--EXTENSIONS--
weft
pdo
--INI--
weft.pdo_pool_max=banana
--FILE--
<?php
var_dump(ini_get('weft.pdo_pool_max'));
?>
--EXPECTF--
%AWarning: weft.pdo_pool_max must be "auto" or a number of connections from 0 to 10000, "banana" given in %s on line 0%Astring(4) "auto"
