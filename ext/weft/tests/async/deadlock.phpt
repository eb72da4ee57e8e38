--TEST--
When everybody waits for what cannot happen, a DeadlockError lists who waits, where and for what
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await};

$first = spawn(function () use (&$second) {
    await($second);
});
$second = spawn(function () use ($first) {
    await($first);
});
try {
    await($first);
} catch (Async\DeadlockError $e) {
    echo $e->getMessage(), "\n";
}
$first->cancel();
?>
--EXPECTF--
Every coroutine waits for something that cannot happen:
  coroutine #3 waits for coroutine #2 at %sdeadlock.php:8
  coroutine #2 waits for coroutine #3 at %sdeadlock.php:5
  coroutine #1 (the main script) waits for coroutine #2 at %sdeadlock.php:11
