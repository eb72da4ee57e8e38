--TEST--
await_any_or_fail() takes the first that ends, with its exception if need be, and lets the others go on
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, await_any_or_fail, await_first_success, delay};

$slow = spawn(function () { delay(400); echo "slow goes on\n"; return 'slow'; });
$failsLater = spawn(function () { delay(200); throw new RuntimeException('nobody asked'); });
var_dump(await_any_or_fail(['slow' => $slow, 'later' => $failsLater, 'fast' => spawn(function () { delay(1); return 'fast'; })]));
var_dump(await($slow));
unset($failsLater);
echo "the exception of a loser is not reported\n";

try {
    await_any_or_fail([
        spawn(function () { delay(60); return 'late'; }),
        spawn(fn () => throw new RuntimeException('the first end is a failure')),
    ]);
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
var_dump(await_any_or_fail([]));

echo "of several that have ended, the first given\n";
$tasks = [spawn(fn () => 'one'), spawn(fn () => 'two')];
delay(1);
var_dump(await_any_or_fail(array_reverse($tasks)));

echo "an iterator is not drawn from any more once it comes back and one has ended\n";
var_dump(await_any_or_fail((function () {
    for ($i = 1; ; $i++) {
        echo "element $i\n";
        yield spawn(fn () => $i);
        if ($i === 2) {
            delay(1);
        }
    }
})()));

echo "first success\n";
[$result, $errors] = await_first_success([
    'a' => spawn(fn () => throw new RuntimeException('a failed')),
    'b' => spawn(function () { delay(300); return 'b worked'; }),
    'c' => spawn(function () { delay(1); throw new RuntimeException('c failed'); }),
    'd' => spawn(function () { delay(600); throw new RuntimeException('d is not reported'); }),
]);
echo $result, ' after ', json_encode(array_map(fn ($e) => $e->getMessage(), $errors)), "\n";
[$result, $errors] = await_first_success(['a' => spawn(fn () => throw new RuntimeException('alone'))]);
echo json_encode($result), ' after ', json_encode(array_map(fn ($e) => $e->getMessage(), $errors)), "\n";
echo json_encode(await_first_success([])), "\n";
?>
--EXPECT--
string(4) "fast"
slow goes on
string(4) "slow"
the exception of a loser is not reported
the first end is a failure
NULL
of several that have ended, the first given
string(3) "two"
an iterator is not drawn from any more once it comes back and one has ended
element 1
element 2
element 3
int(1)
first success
b worked after {"a":"a failed","c":"c failed"}
null after {"a":"alone"}
[null,[]]
