--TEST--
finally() callbacks, and what a coroutine tells about itself
--EXTENSIONS--
weft
--FILE--
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
$task->finally(fn (Coroutine $c) => print "first: {$c->getId()}\n");
suspend();
var_dump($task->isSuspended(), $task->getAwaitingInfo(), basename($task->getSuspendLocation()));
var_dump(basename($task->getSpawnLocation()), $task->getResult());
var_dump(await($task) === $task);
$task->finally(fn (Coroutine $c) => print "at once: {$c->getId()}\n");
var_dump(current_coroutine()->getId(), current_coroutine() === current_coroutine());
try {
    new Coroutine();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
running: bool(true)
bool(true)
array(1) {
  ["what"]=>
  string(5) "delay"
}
string(22) "finally-and-info.php:9"
string(22) "finally-and-info.php:5"
NULL
first: 2
bool(true)
at once: 2
int(1)
bool(true)
Call to private Async\Coroutine::__construct() from global scope
