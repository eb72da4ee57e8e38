--TEST--
APCu: apcu_entry() calls once for a key while other coroutines wait for it, and those of other keys do not
--EXTENSIONS--
weft
apcu
--INI--
apc.enable_cli=1
--FILE--
<?php
use function Async\await;
use function Async\await_all_or_fail;
use function Async\spawn;

$slow = function (string $key): array {
    static $calls = 0;
    usleep(20_000);
    return [$key, ++$calls];
};
$entry = fn (string $key, callable $make): Async\Coroutine => spawn(fn () => apcu_entry($key, $make));

echo "one key: ", json_encode(await_all_or_fail([$entry('a', $slow), $entry('a', $slow), $entry('a', $slow)])), "\n";
echo "two keys: ";
$order = [];
$log = function (string $key) use (&$order): string {
    $order[] = "$key begins";
    usleep($key === 'b' ? 30_000 : 10_000);
    $order[] = "$key ends";
    return $key;
};
await_all_or_fail([$entry('b', $log), $entry('c', $log)]);
echo implode(', ', $order), "\n";

echo "while one computes, others write: ";
$computes = $entry('d', $slow);
usleep(1000);
var_dump(apcu_store('other', 1), apcu_inc('other'), apcu_fetch('other'));
await($computes);

// who fails leaves the lock to the next, and nothing in the cache
$fails = function (): never {
    usleep(10_000);
    throw new DomainException('no');
};
$first = $entry('e', $fails);
$second = $entry('e', fn () => 'second');
try {
    await($first);
} catch (DomainException $e) {
    echo $e->getMessage(), ', ', await($second), ', ', apcu_fetch('e'), "\n";
}

// who is cancelled while it waits, and while it computes
$first = $entry('f', $slow);
$waits = $entry('f', fn () => 'never called');
$third = $entry('f', fn () => 'never called either');
usleep(5000);
$waits->cancel();
echo json_encode([await($first)[0], await($third)[0]]), "\n";
$first = $entry('g', $slow);
$second = $entry('g', fn () => 'the second one');
usleep(5000);
$first->cancel();
echo await($second), "\n";

// keys in one another, in any order: there is no circle of waits
$nested = fn (string $outer, string $inner) => spawn(fn () => apcu_entry($outer, function () use ($outer, $inner) {
    usleep(5000);
    return $outer . apcu_entry($inner, function (string $key): string {
        usleep(5000);
        return $key;
    });
}));
$circle = await_all_or_fail([$nested('h', 'i'), $nested('i', 'h')]);
echo json_encode(array_map(fn (string $text): string => $text[0], $circle)), "\n";
echo apcu_entry('j', fn () => 'outer ' . apcu_entry('j', fn () => 'inner')), "\n";
echo apcu_entry('k', fn () => 'parent ' . await(spawn(fn () => apcu_entry('k', fn () => 'child')))), "\n";

var_dump(apcu_entry('l', fn (string $key) => $key, 60), apcu_key_info('l')['ttl'], apcu_entry('m', fn () => false), apcu_entry('m', fn () => true));
try {
    apcu_entry('n');
} catch (ArgumentCountError $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
one key: [["a",1],["a",1],["a",1]]
two keys: b begins, c begins, c ends, b ends
while one computes, others write: bool(true)
int(2)
int(2)
no, second, second
["f","f"]
the second one
["h","i"]
outer inner
parent child
string(1) "l"
int(60)
bool(false)
bool(false)
apcu_entry() expects at least 2 arguments, 1 given
