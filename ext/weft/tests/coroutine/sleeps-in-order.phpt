--TEST--
Sleepers wake in the order of their deadlines and never early
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, delay};

$order = [];
$early = 0;
$tasks = [];
foreach ([30, 10, 50, 20, 40, 0, 60] as $ms) {
    $tasks[] = spawn(function () use ($ms, &$order, &$early) {
        $start = hrtime(true);
        delay($ms);
        $early += hrtime(true) - $start < $ms * 1_000_000 ? 1 : 0;
        $order[] = $ms;
    });
}
array_map(Async\await(...), $tasks);
echo implode(' ', $order), "\nearly: $early\n";
?>
--EXPECT--
0 10 20 30 40 50 60
early: 0
