--TEST--
A cancellation goes down to what its target spawned; so does an exception's end; who returns leaves its children to its parent
--EXTENSIONS--
weft
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, await, delay, suspend};

$sleep = function (string $name) {
    try {
        delay(60_000);
    } catch (AsyncCancellation $e) {
        echo "$name: ", $e->getMessage(), "\n";
        throw $e;
    }
};
$parent = function (?Throwable $ends = null) use ($sleep) {
    spawn(function () use ($sleep) {
        spawn($sleep, 'grandchild');
        $sleep('child');
    });
    if ($ends) {
        delay(1);
        throw $ends;
    }
    $sleep('parent');
};

echo "cancelled\n";
$task = spawn($parent);
delay(1);
$task->cancel(new AsyncCancellation('enough'));
delay(1);
echo json_encode($task->isCancelled()), "\n";

echo "failed\n";
$task = spawn($parent, new RuntimeException('the parent failed'));
try {
    await($task);
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
delay(1);

echo "returned\n";
$grandparent = spawn(function () use ($sleep) {
    $child = await(spawn(fn () => spawn($sleep, 'adopted')));
    suspend();
    echo 'goes on: ', json_encode(!$child->isCompleted()), "\n";
    $sleep('grandparent');
});
delay(1);
$grandparent->cancel(new AsyncCancellation('enough'));
delay(1);

echo "one that was cancelled before is left alone with what it does about that\n";
$child = null;
$task = spawn(function () use (&$child) {
    $child = spawn(function () {
        try {
            delay(60_000);
        } finally {
            await(spawn(function () { delay(5); echo "tidied up\n"; }));
        }
    });
    delay(60_000);
});
delay(1);
$child->cancel();
delay(1);
$task->cancel();
try {
    await($child);
} catch (AsyncCancellation $e) {
    echo json_encode($child->isCancelled()), "\n";
}
?>
--EXPECTF--
cancelled
parent: enough
child: enough
grandchild: enough
true
failed
child: Coroutine #%d, which spawned this one, ended with an exception
grandchild: Coroutine #%d, which spawned this one, ended with an exception
the parent failed
returned
goes on: true
grandparent: enough
adopted: enough
one that was cancelled before is left alone with what it does about that
tidied up
true
