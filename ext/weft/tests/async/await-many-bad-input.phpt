--TEST--
await_all() and its like say which element is wrong, and pass on what their iterator throws
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, await_all, await_any_or_fail, await_all_or_fail, await_any_of_or_fail, await_first_success, current_coroutine};

final class Other implements Async\Completable
{
    public function cancel(?Async\AsyncCancellation $cancellation = null): void {}
    public function isCompleted(): bool { return true; }
    public function isCancelled(): bool { return false; }
}

$fine = spawn(fn () => 'fine');
$attempts = [
    fn () => await_all('none'),
    fn () => await_all([$fine, 'x']),
    fn () => await_any_or_fail(['a' => null]),
    fn () => await_all_or_fail([new stdClass()]),
    fn () => await_first_success([new Other()]),
    fn () => await_all([$fine], new Other()),
    fn () => await_any_of_or_fail(1, [$fine, 7]),
    fn () => await_any_of_or_fail(1, [$fine], new Other()),
    fn () => await_all((function () use ($fine) { yield [] => $fine; })()),
    fn () => await_all((function () use ($fine) { yield $fine; throw new LogicException('the iterator failed'); })()),
    fn () => await_all([current_coroutine()]),
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "no error\n";
    } catch (Throwable $e) {
        echo $e::class, ': ', $e->getMessage(), "\n";
    }
}
echo await($fine), "\n";
?>
--EXPECT--
TypeError: Async\await_all(): Argument #1 ($triggers) must be of type Traversable|array, string given
TypeError: Async\await_all(): Argument #1 ($triggers) must contain only Async\Coroutine and Async\Timeout objects, string given at key 1
TypeError: Async\await_any_or_fail(): Argument #1 ($triggers) must contain only Async\Coroutine and Async\Timeout objects, null given at key "a"
TypeError: Async\await_all_or_fail(): Argument #1 ($triggers) must contain only Async\Coroutine and Async\Timeout objects, stdClass given at key 0
TypeError: Async\await_first_success(): Argument #1 ($triggers) must contain only Async\Coroutine and Async\Timeout objects, Other given at key 0
TypeError: Async\await_all(): Argument #2 ($cancellation) must be an Async\Coroutine or an Async\Timeout, Other given
TypeError: Async\await_any_of_or_fail(): Argument #2 ($triggers) must contain only Async\Coroutine and Async\Timeout objects, int given at key 1
TypeError: Async\await_any_of_or_fail(): Argument #3 ($cancellation) must be an Async\Coroutine or an Async\Timeout, Other given
TypeError: Async\await_all(): Argument #1 ($triggers) must have keys of type int or string, array given
LogicException: the iterator failed
Async\AsyncException: A coroutine can't await itself: it would wait for ever
fine
