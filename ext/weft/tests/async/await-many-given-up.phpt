--TEST--
A token ends the wait for many and spares them; a cancelled waiter takes the tasks that it spawned along, and no others
--EXTENSIONS--
weft
--FILE--
<?php
use Async\{AsyncCancellation, OperationCanceledException, TimeoutException};
use function Async\{spawn, await, await_all, await_all_or_fail, await_any_or_fail, await_first_success, delay, suspend, timeout};

foreach (['await_all', 'await_all_or_fail', 'await_any_or_fail', 'await_first_success'] as $function) {
    $task = spawn(function () { delay(15); return 'went on'; });
    try {
        ("Async\\$function")([$task], timeout(1));
    } catch (TimeoutException $e) {
        echo "$function: ", $e->getMessage(), '; ', await($task), "\n";
    }
}
$task = spawn(function () { delay(5); return 'went on'; });
try {
    await_all([$task], spawn(fn () => 'the token'));
} catch (OperationCanceledException $e) {
    echo $e->getMessage(), '; ', await($task), "\n";
}
$token = timeout(0);
$task = spawn(fn () => 'both have ended');
delay(5);
echo json_encode(await_all([$task], $token)[0]), "\n";
try {
    await_all((function () use ($task) {
        for ($i = 1; ; $i++) {
            echo "element $i\n";
            yield $task;
            delay(10);
        }
    })(), timeout(5));
} catch (TimeoutException) {
    echo "an iterator is not drawn from once the token has completed\n";
}

$sleep = function (string $name) {
    try {
        delay(60_000);
    } catch (AsyncCancellation $e) {
        echo "$name: ", $e->getMessage(), "\n";
        throw $e;
    }
};
foreach (['await_all', 'await_all_or_fail', 'await_any_or_fail', 'await_first_success'] as $function) {
    $foreign = spawn(function () { delay(10); return 'is not its child'; });
    $waiter = spawn(fn () => ("Async\\$function")([$foreign, spawn($sleep, 'own task')]));
    delay(1);
    echo json_encode($waiter->getAwaitingInfo()), "\n";
    $waiter->cancel(new AsyncCancellation("$function was cancelled"));
    try {
        await($waiter);
    } catch (AsyncCancellation $e) {
        echo 'the waiter: ', $e->getMessage(), '; ', await($foreign), "\n";
    }
}
?>
--EXPECT--
await_all: The time limit of 1 ms has passed; went on
await_all_or_fail: The time limit of 1 ms has passed; went on
await_any_or_fail: The time limit of 1 ms has passed; went on
await_first_success: The time limit of 1 ms has passed; went on
The wait was given up: its cancellation token completed; went on
["both have ended"]
element 1
element 2
an iterator is not drawn from once the token has completed
{"what":"several coroutines"}
own task: await_all was cancelled
the waiter: await_all was cancelled; is not its child
{"what":"several coroutines"}
own task: await_all_or_fail was cancelled
the waiter: await_all_or_fail was cancelled; is not its child
{"what":"several coroutines"}
own task: await_any_or_fail was cancelled
the waiter: await_any_or_fail was cancelled; is not its child
{"what":"several coroutines"}
own task: await_first_success was cancelled
the waiter: await_first_success was cancelled; is not its child
