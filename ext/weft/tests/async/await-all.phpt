--TEST--
await_all() gives results and exceptions by key, in the order of its input or of their ends
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await_all, delay, timeout};

function tasks(): array
{
    return [
        'slow' => spawn(function () { delay(30); return 'slow result'; }),
        7 => spawn(fn () => throw new RuntimeException('failed')),
        'nothing' => spawn(function () { delay(10); }),
    ];
}

function show(array $outcome): void
{
    [$results, $errors] = $outcome;
    echo json_encode($results), ' ', json_encode(array_map(fn (Throwable $e) => $e->getMessage(), $errors)), "\n";
}

show(await_all(tasks()));
show(await_all(tasks(), preserveKeyOrder: false));
show(await_all(tasks(), fillNull: true));
show(await_all([]));
show(await_all(['time' => timeout(1)]));

echo "one task under two keys, and one that has ended\n";
$task = spawn(fn () => 'once');
$ended = spawn(fn () => 'ended');
delay(1);
show(await_all(['a' => $task, 'b' => $task, 'c' => $ended, 'd' => $ended]));

echo "an iterator that waits; meanwhile its tasks run\n";
show(await_all((function () {
    foreach (['x', 'y'] as $name) {
        yield $name => spawn(function () use ($name) { echo "$name runs\n"; return $name; });
        delay(5);
        echo "after $name\n";
    }
})()));

echo "the exceptions above count as seen: no warning\n";
?>
--EXPECT--
{"slow":"slow result","nothing":null} {"7":"failed"}
{"nothing":null,"slow":"slow result"} {"7":"failed"}
{"slow":"slow result","7":null,"nothing":null} {"7":"failed"}
[] []
[] {"time":"The time limit of 1 ms has passed"}
one task under two keys, and one that has ended
{"a":"once","b":"once","c":"ended","d":"ended"} []
an iterator that waits; meanwhile its tasks run
x runs
after x
y runs
after y
{"x":"x","y":"y"} []
the exceptions above count as seen: no warning
