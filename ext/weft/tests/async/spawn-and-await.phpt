--TEST--
A spawned task starts when the script first waits; await() gives its result or rethrows what ended it
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, delay};

$a = spawn(function (string $name, int $n): int {
    echo "$name starts\n";
    delay(20);
    echo "$name ends\n";
    return $n * 2;
}, 'a', n: 21);
$b = spawn(function () {
    echo "b starts\n";
    delay(5);
    throw new RuntimeException('from b');
});
echo "spawned\n";
var_dump($a->isQueued(), $a->isStarted());
var_dump(await($a));
try {
    await($b);
} catch (RuntimeException $e) {
    echo get_class($e), ': ', $e->getMessage(), "\n";
}
var_dump(await($a), $a->isCompleted(), $b->getException() === $e);
?>
--EXPECT--
spawned
bool(true)
bool(false)
a starts
b starts
a ends
int(42)
RuntimeException: from b
int(42)
bool(true)
bool(true)
