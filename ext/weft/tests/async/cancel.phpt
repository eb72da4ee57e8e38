--TEST--
cancel() throws where the task waits, runs its finally blocks, and keeps an unstarted task from starting
--EXTENSIONS--
weft
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, await, delay, suspend};

$waiting = spawn(function () {
    try {
        delay(60_000);
    } finally {
        echo "finally\n";
    }
});
$sleeping = spawn(function () {
    try {
        sleep(60);
        echo "not reached\n";
    } catch (AsyncCancellation $e) {
        echo 'in sleep(): ', $e->getMessage(), "\n";
        return 'caught';
    }
});
suspend();
$unstarted = spawn(fn () => print "never\n");
$unstarted->cancel();
$waiting->cancel(new AsyncCancellation('enough'));
$sleeping->cancel();
var_dump($waiting->isCancellationRequested(), $waiting->isCancelled());
foreach ([$waiting, $unstarted] as $task) {
    try {
        await($task);
    } catch (AsyncCancellation $e) {
        echo $e->getMessage(), "\n";
    }
    var_dump($task->isCancelled());
}
var_dump(await($sleeping), $sleeping->isCancelled(), $unstarted->isStarted());
?>
--EXPECTF--
bool(true)
bool(false)
finally
in sleep(): Coroutine #3 was cancelled
enough
bool(true)
Coroutine #4 was cancelled
bool(true)
string(6) "caught"
bool(false)
bool(false)
