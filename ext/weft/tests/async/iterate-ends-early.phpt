--TEST--
iterate() ends with the first exception, with false, and with its caller's cancellation, and leaves no coroutine behind
--EXTENSIONS--
weft
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{await, delay, get_coroutines, iterate, spawn, suspend};

$until = function (string $name) {
    try {
        delay(60_000);
    } catch (AsyncCancellation $e) {
        delay(1);
        echo "$name: ", $e->getMessage(), "\n";
        throw $e;
    }
};
$endless = function () {
    try {
        yield 1;
        yield 2;
        delay(60_000);
        echo "not reached\n";
    } finally {
        echo "the iterator has ended\n";
    }
};
function attempt(string $title, Closure $what): void
{
    echo "--- $title\n";
    try {
        $what();
    } catch (Throwable $e) {
        echo 'caught ', $e::class, ': ', $e->getMessage(), "\n";
    }
    echo count(get_coroutines()) - 1, " left\n";
}

attempt('a callback fails while the iterator waits', fn () => iterate($endless(), function ($value) use ($until) {
    $value === 1 ? $until('first') : throw new RuntimeException('the second failed');
}));
attempt('the iterator fails', fn () => iterate((function () {
    yield 1;
    delay(1);
    throw new LogicException('nothing more');
})(), fn () => $until('call')));
attempt('a second failure is reported', fn () => iterate([1, 2], function ($value) {
    try {
        delay($value * 1000 - 999);
    } finally {
        throw new RuntimeException("failure of $value");
    }
}));
attempt('false ends the drawing; those that run go on', fn () => iterate($endless(), function ($value) {
    delay($value === 1 ? 200 : 1);
    echo "$value done\n";

    return $value === 1;
}));
attempt('false with one at a time', fn () => iterate([1, 2, 3], function ($value) {
    echo "call $value\n";

    return $value < 2;
}, 1));
attempt('what callbacks spawned is cancelled', fn () => iterate([1], fn () => spawn($until, 'spawned') && null));
attempt('or awaited', fn () => iterate([1], function () {
    spawn(function () { delay(2); echo "spawned ends\n"; });
}, cancelPending: false));
attempt('the caller is cancelled', function () use ($until, $endless) {
    $caller = spawn(fn () => iterate($endless(), fn ($value) => $until("call $value")));
    delay(1);
    $caller->cancel(new AsyncCancellation('from above'));
    await($caller);
});
attempt('twice', function () {
    $caller = spawn(fn () => iterate([1], function () {
        try {
            delay(60_000);
        } finally {
            delay(5);
            echo "tidied up\n";
        }
    }));
    delay(1);
    $caller->cancel(new AsyncCancellation('first'));
    delay(1);
    $caller->cancel(new AsyncCancellation('second'));
    try {
        await($caller);
    } finally {
        delay(10);
    }
});
attempt('negative concurrency', fn () => iterate([1], fn () => null, -1));
attempt('no callable', fn () => iterate([1], 'no such function'));
attempt('nothing to iterate', fn () => iterate(5, fn () => null));
?>
--EXPECTF--
--- a callback fails while the iterator waits
the iterator has ended
first: The iteration has failed
caught RuntimeException: the second failed
0 left
--- the iterator fails
call: The iteration has failed
caught LogicException: nothing more
0 left
--- a second failure is reported

Warning: Uncaught Async\AsyncCancellation: The iteration has failed in %A
Next RuntimeException: failure of 2 in %A
caught RuntimeException: failure of 1
0 left
--- false ends the drawing; those that run go on
2 done
the iterator has ended
1 done
0 left
--- false with one at a time
call 1
call 2
0 left
--- what callbacks spawned is cancelled
spawned: The iteration has ended
0 left
--- or awaited
spawned ends
0 left
--- the caller is cancelled
the iterator has ended
call 2: from above
call 1: from above
caught Async\AsyncCancellation: from above
0 left
--- twice
tidied up
caught Async\AsyncCancellation: second
0 left
--- negative concurrency
caught ValueError: Async\iterate(): Argument #3 ($concurrency) must be greater than or equal to 0
0 left
--- no callable
caught TypeError: Async\iterate(): Argument #2 ($callback) must be a valid callback, function "no such function" not found or invalid function name
0 left
--- nothing to iterate
caught TypeError: Async\iterate(): Argument #1 ($iterable) must be of type Traversable|array, int given
0 left
