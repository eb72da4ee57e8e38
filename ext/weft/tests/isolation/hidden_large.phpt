--TEST--
A large ArrayObject of the base takes memory only from the requests that change it
--EXTENSIONS--
weft
--INI--
memory_limit=96M
opcache.enable_cli=0
--FILE--
<?php
use function Async\await;
use function Async\delay;
use function Async\spawn;

const REQUESTS = 12;
const CHANGE = [3, 7];

final class Large extends ArrayObject
{
    public string $name = 'base';
}

$large = new Large(range(1, 500_000));
$iterated = new ArrayObject(['a' => 1, 'b' => 2, 'c' => 3]);
Weft\Isolation\snapshot();
$request = function (int $me) use ($large, $iterated): string {
    $seen = '';
    foreach ($iterated as $key => $value) {
        delay(1);
        if ($me === 5) {
            $iterated['b'] = 'changed while others iterate';
        }
        $seen .= "$key=$value ";
    }
    delay(1);
    if (in_array($me, CHANGE, true)) {
        $large[] = $me;
        $large[0] = "changed by $me";
        unset($large[499_999]);
        $large->name = (string) $me;
    }
    delay(1);
    return $seen . count($large) . " $large->name $large[0] " . ($large[499_999] ?? 'none');
};
$coroutines = [];
for ($i = 0; $i < REQUESTS; $i++) {
    $coroutines[$i] = spawn(fn () => Weft\Isolation\run(fn () => $request($i)));
}
foreach ($coroutines as $i => $coroutine) {
    echo "$i: ", await($coroutine), "\n";
}
echo count($large), " $large->name $large[0]\n";
?>
--EXPECT--
0: a=1 b=2 c=3 500000 base 1 500000
1: a=1 b=2 c=3 500000 base 1 500000
2: a=1 b=2 c=3 500000 base 1 500000
3: a=1 b=2 c=3 500000 3 changed by 3 none
4: a=1 b=2 c=3 500000 base 1 500000
5: a=1 b=changed while others iterate c=3 500000 base 1 500000
6: a=1 b=2 c=3 500000 base 1 500000
7: a=1 b=2 c=3 500000 7 changed by 7 none
8: a=1 b=2 c=3 500000 base 1 500000
9: a=1 b=2 c=3 500000 base 1 500000
10: a=1 b=2 c=3 500000 base 1 500000
11: a=1 b=2 c=3 500000 base 1 500000
500000 base 1
