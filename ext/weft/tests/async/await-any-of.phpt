--TEST--
await_any_of() waits for so many results, await_any_of_or_fail() for so many ends; those that are late are told to nobody
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, await_any_of, await_any_of_or_fail, delay, timeout};

$after = fn (int $ms, string $what) => spawn(function () use ($ms, $what) { delay($ms); return $what; });
$fails = fn (int $ms, string $what) => spawn(function () use ($ms, $what) { delay($ms); throw new RuntimeException($what); });
$show = function (callable $work): void {
    try {
        $told = $work();
        array_walk_recursive($told, function (mixed &$value): void {
            $value = $value instanceof Throwable ? 'threw ' . $value->getMessage() : $value;
        });
        echo json_encode($told), "\n";
    } catch (Throwable $e) {
        echo $e::class, ': ', $e->getMessage(), "\n";
    }
};

echo "so many results\n";
$slow = spawn(function () { delay(300); echo "slow goes on\n"; return 'slow'; });
$show(fn () => await_any_of(2, ['slow' => $slow, 'b' => $after(60, 'b'), 'bad' => $fails(1, 'bad'), 'a' => $after(20, 'a'), 'later' => $fails(400, 'not reported')]));
$show(fn () => await_any_of(2, ['b' => $after(60, 'b'), 'bad' => $fails(1, 'bad'), 'a' => $after(20, 'a')], preserveKeyOrder: false, fillNull: true));
await($slow);
echo "more than there are, none, all failed\n";
$show(fn () => await_any_of(5, [$after(1, 'one'), $fails(1, 'two')]));
$show(fn () => await_any_of(0, [$after(1, 'one')]));
$show(fn () => await_any_of(1, ['a' => $fails(1, 'a'), 'b' => $fails(2, 'b')]));
$show(fn () => await_any_of(1, []));
echo "of those that have ended, the first given\n";
$tasks = [$after(0, 'one'), $after(0, 'two'), $after(0, 'three')];
delay(5);
$show(fn () => await_any_of(2, $tasks));
$show(fn () => await_any_of_or_fail(2, $tasks));

echo "so many ends\n";
$show(fn () => await_any_of_or_fail(2, ['b' => $after(60, 'b'), 'a' => $after(1, 'a'), 'bad' => $fails(300, 'bad')]));
$show(fn () => await_any_of_or_fail(2, ['b' => $after(60, 'b'), 'a' => $after(1, 'a')], preserveKeyOrder: false));
$show(fn () => await_any_of_or_fail(2, ['a' => $after(1, 'a'), 'bad' => $fails(20, 'bad'), 'b' => $after(300, 'b')]));
$show(fn () => await_any_of_or_fail(5, ['a' => $after(1, 'a')]));
$show(fn () => await_any_of_or_fail(0, ['a' => $after(1, 'a')]));
$ended = [$after(0, 'one'), $fails(0, 'two')];
delay(5);
$show(fn () => await_any_of_or_fail(1, $ended));
$show(fn () => await_any_of_or_fail(2, $ended));

echo "bad input, and too long\n";
$show(fn () => await_any_of(-1, []));
$show(fn () => await_any_of_or_fail(-1, []));
$show(fn () => await_any_of(1, ['x' => 5]));
$show(fn () => await_any_of(1, [$after(300, 'late')], timeout(5)));
?>
--EXPECT--
so many results
[{"b":"b","a":"a"},{"bad":"threw bad"}]
[{"bad":null,"a":"a","b":"b"},{"bad":"threw bad"}]
slow goes on
more than there are, none, all failed
[["one"],{"1":"threw two"}]
[[],[]]
[[],{"a":"threw a","b":"threw b"}]
[[],[]]
of those that have ended, the first given
[["one","two"],[]]
["one","two"]
so many ends
{"b":"b","a":"a"}
{"a":"a","b":"b"}
RuntimeException: bad
{"a":"a"}
[]
["one"]
RuntimeException: two
bad input, and too long
ValueError: Async\await_any_of(): Argument #1 ($count) must be greater than or equal to 0
ValueError: Async\await_any_of_or_fail(): Argument #1 ($count) must be greater than or equal to 0
TypeError: Async\await_any_of(): Argument #2 ($triggers) must contain only Async\Coroutine and Async\Timeout objects, int given at key "x"
Async\TimeoutException: The time limit of 5 ms has passed
