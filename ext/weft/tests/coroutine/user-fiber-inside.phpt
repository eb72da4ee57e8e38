--TEST--
A user's Fiber keeps working inside a coroutine and across a switch
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, delay};

function worker(string $name, int $pause): Closure
{
    return function () use ($name, $pause) {
        $fiber = new Fiber(function (int $x) use ($name, $pause) {
            delay($pause);
            echo "$name: in fiber after delay, fiber running: ";
            var_dump(Fiber::getCurrent()->isRunning());
            $y = Fiber::suspend($x + 1);
            delay($pause);
            return $x + $y;
        });
        $got = $fiber->start(10);
        delay($pause);
        $fiber->resume(100);
        return [$got, $fiber->getReturn(), Fiber::getCurrent()];
    };
}
$a = spawn(worker('a', 10));
$b = spawn(worker('b', 15));
echo json_encode([await($a), await($b)]), "\n";

$fiber = new Fiber(function () {
    delay(1);
    Fiber::suspend('from main\'s fiber');
    delay(1);
    return 'end';
});
echo $fiber->start(), "\n";
$fiber->resume();
echo $fiber->getReturn(), "\n";
?>
--EXPECT--
a: in fiber after delay, fiber running: bool(true)
b: in fiber after delay, fiber running: bool(true)
[[11,110,null],[11,110,null]]
from main's fiber
end
