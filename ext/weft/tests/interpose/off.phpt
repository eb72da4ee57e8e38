--TEST--
weft.interpose=0 leaves every table alone: a sleep holds everybody up
--EXTENSIONS--
weft
--INI--
weft.interpose=0
--FILE--
<?php
$order = [];
$a = Async\spawn(function () use (&$order) { $order[] = 'a sleeps'; usleep(2000); $order[] = 'a slept'; });
$b = Async\spawn(function () use (&$order) { $order[] = 'b'; });
Async\await($a);
Async\await($b);
echo implode(', ', $order), "\n";
var_dump(Weft\Internal\interposition());
?>
--EXPECT--
a sleeps, a slept, b
array(4) {
  ["installed"]=>
  bool(false)
  ["objects"]=>
  int(0)
  ["words"]=>
  int(0)
  ["names"]=>
  array(0) {
  }
}
