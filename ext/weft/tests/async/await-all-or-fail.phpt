--TEST--
await_all_or_fail() returns all results, or throws the first exception at once and cancels the rest
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, await_all_or_fail, delay};

echo json_encode(await_all_or_fail([
    'b' => spawn(function () { delay(10); return 'B'; }),
    'a' => spawn(fn () => 'A'),
])), "\n";
echo json_encode(await_all_or_fail([
    'b' => spawn(function () { delay(10); return 'B'; }),
    'a' => spawn(fn () => 'A'),
], preserveKeyOrder: false)), "\n";
echo json_encode(await_all_or_fail([])), "\n";

$rest = spawn(function () {
    try {
        delay(60_000);
    } catch (Async\AsyncCancellation $e) {
        echo 'the rest: ', $e->getMessage(), "\n";
        throw $e;
    }
});
try {
    await_all_or_fail([
        $rest,
        spawn(fn () => 'fine'),
        spawn(function () { delay(5); throw new RuntimeException('the first'); }),
        spawn(function () { delay(6); throw new LogicException('never thrown: cancelled in delay()'); }),
    ]);
} catch (RuntimeException $e) {
    echo 'caught ', $e->getMessage(), ', cancelled: ', json_encode($rest->isCancellationRequested()), "\n";
}
try {
    await($rest);
} catch (Async\AsyncCancellation) {
    echo "it has ended: ", json_encode($rest->isCancelled()), "\n";
}

echo "an iterator is not drawn from any more once it comes back and one has failed\n";
try {
    await_all_or_fail((function () {
        for ($i = 1; ; $i++) {
            echo "element $i\n";
            yield spawn(fn () => $i < 2 ?: throw new RuntimeException("task $i failed"));
            delay(1);
        }
    })());
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
{"b":"B","a":"A"}
{"a":"A","b":"B"}
[]
caught the first, cancelled: true
the rest: Another one of those that are awaited together failed
it has ended: true
an iterator is not drawn from any more once it comes back and one has failed
element 1
element 2
element 3
task 2 failed
