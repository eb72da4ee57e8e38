--TEST--
A timeout ends a wait, not the task; it can itself be awaited and cancelled
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, delay, timeout};

$slow = spawn(function () {
    delay(50);
    return 'late but done';
});
try {
    await($slow, timeout(5));
} catch (Async\TimeoutException $e) {
    echo $e->getMessage(), "\n";
}
echo await($slow, timeout(60_000)), "\n";
try {
    await(timeout(1));
} catch (Async\TimeoutException $e) {
    echo $e->getMessage(), "\n";
}
$limit = timeout(60_000);
$limit->cancel();
try {
    await($limit);
} catch (Async\AsyncCancellation $e) {
    echo $e->getMessage(), "\n";
}
$done = spawn(fn () => 1);
await($done);
try {
    await(spawn(fn () => delay(10)), $done);
} catch (Async\OperationCanceledException $e) {
    echo $e->getMessage(), "\n";
}
try {
    timeout(-1);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
The time limit of 5 ms has passed
late but done
The time limit of 1 ms has passed
The timeout was cancelled
The wait was given up: its cancellation token completed
Async\timeout(): Argument #1 ($ms) must be greater than or equal to 0
