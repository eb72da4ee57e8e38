--TEST--
The longest delay and the longest timeout do not pass at once
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{await, delay, spawn, timeout};

$task = spawn(function () {
    delay(PHP_INT_MAX);
    echo "not reached\n";
});
$never = timeout(PHP_INT_MAX);
delay(5);
var_dump($task->isCompleted(), $never->isCompleted());
$never->cancel();
$task->cancel();
try {
    await($task);
} catch (Async\AsyncCancellation $e) {
    echo $e::class, "\n";
}
?>
--EXPECT--
bool(false)
bool(false)
Async\AsyncCancellation
