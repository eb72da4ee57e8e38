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
