--TEST--
iterate() calls back for each element, so many at a time, and draws an element only when there is room for it
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{delay, iterate, spawn, suspend};

$elements = function (int $count, bool $wait = false) {
    for ($i = 1; $i <= $count; $i++) {
        if ($wait) {
            delay(1);
        }
        echo "draw $i\n";
        yield "k$i" => $i;
    }
    echo "drawn\n";
};
$call = function (int $value, string $key) {
    echo "begin $key\n";
    delay($value === 1 ? 20 : 2);
    echo "end $value\n";
};

echo "two at a time\n";
iterate($elements(3), $call, 2);
echo "one at a time, from an iterator that waits\n";
iterate($elements(2, true), $call, concurrency: 1);
echo "all at once\n";
iterate($elements(3), $call);

echo "an array, which the callback changes; an aggregate; nothing\n";
$array = ['a' => 1, 'b' => 2];
$reference = &$array['b'];
iterate($array, function ($value, $key) use (&$array) { $array['c'] = 3; echo "$key=$value\n"; });
iterate(new ArrayObject(['x' => 'y']), fn ($value, $key) => print "$key=$value\n");
iterate([], fn () => print "never\n");

echo "the callback's coroutine is one as any other\n";
final class Named
{
    public function __call(string $name, array $arguments): void { echo $name, ' ', json_encode($arguments), "\n"; }
}
iterate([1, 2], [new Named(), 'anything'], 1);
iterate(['p'], function ($value) { spawn(fn () => print "child\n"); suspend(); echo "$value\n"; });
?>
--EXPECT--
two at a time
draw 1
draw 2
begin k1
begin k2
end 2
draw 3
begin k3
end 3
drawn
end 1
one at a time, from an iterator that waits
draw 1
begin k1
end 1
draw 2
begin k2
end 2
drawn
all at once
draw 1
draw 2
draw 3
drawn
begin k1
begin k2
begin k3
end 2
end 3
end 1
an array, which the callback changes; an aggregate; nothing
a=1
b=2
x=y
the callback's coroutine is one as any other
anything [1,0]
anything [2,1]
child
p
