--TEST--
A switch inside one domain compares nothing; one between domains compares once
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\await;
use function Async\spawn;
use function Async\suspend;
use function Weft\Isolation\run;
use function Weft\Isolation\stats;

$object = new stdClass();
Weft\Isolation\snapshot();
$turns = function (): void {
    for ($i = 0; $i < 100; $i++) {
        suspend();
    }
};
run(function () use ($turns, $object): void {
    $object->own = 1;
    $before = stats();
    $one = spawn($turns);
    $two = spawn($turns);
    await($one);
    await($two);
    $after = stats();
    echo 'inside: ', $after['scans'] - $before['scans'], ' scans, ', $after['switches'] - $before['switches'], " switches\n";
});
$before = stats();
$one = spawn(fn () => run($turns));
$two = spawn(fn () => run($turns));
await($one);
await($two);
$after = stats();
$switches = $after['switches'] - $before['switches'];
var_dump($switches >= 200, $after['scans'] - $before['scans'] < $switches + 10);
?>
--EXPECT--
inside: 0 scans, 0 switches
bool(true)
bool(true)
