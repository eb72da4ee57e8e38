<?php
use Async\Coroutine;
use function Async\{spawn, await, delay, suspend, current_coroutine};

$task = spawn(function () {
    $self = current_coroutine();
    echo 'running: ';
    var_dump($self->isRunning());
    delay(5);
    return $self;
});
$task->onFinally(fn (Coroutine $c) => print "first: {$c->getId()}\n");
suspend();
var_dump($task->isSuspended(), $task->getAwaitingInfo(), basename($task->getSuspendLocation()));
var_dump(basename($task->getSpawnLocation()), $task->getResult());
var_dump(await($task) === $task);
$task->onFinally(fn (Coroutine $c) => print "at once: {$c->getId()}\n");
var_dump(current_coroutine()->getId(), current_coroutine() === current_coroutine());
try {
    new Coroutine();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
?>
