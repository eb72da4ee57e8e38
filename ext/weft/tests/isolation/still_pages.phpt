--TEST--
A page that nobody writes to drops out of the scan, and comes back with the first write to it
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (getenv('USE_ZEND_ALLOC') === '0') {
    die("skip PHP's allocator must be in use");
}
?>
--ENV--
WEFT_SCAN_CHECK=1
--INI--
weft.still_pages=1
--FILE--
<?php
require __DIR__ . '/still_pages.inc';
$all = wide(400);
Weft\Isolation\snapshot();
$before = settle();
var_dump($before > 20);

$write = static function (string $name) use ($all): string {
    foreach ([7, 200, 399] as $i) {
        put($all[$i], 'a', $name);
    }
    Async\suspend();
    $seen = [];
    foreach ([7, 200, 399] as $i) {
        $seen[] = $all[$i]->a;
    }

    return implode(' ', $seen);
};
$a = Async\spawn(static fn (): string => Weft\Isolation\run(static fn (): string => $write('a')));
$b = Async\spawn(static fn (): string => Weft\Isolation\run(static fn (): string => $write('b')));
echo Async\await($a), ', ', Async\await($b), "\n";
var_dump($all[7]->a, $all[200]->a, $all[399]->a);
$after = Weft\Isolation\stats()['stillPages'];
var_dump($after < $before && $after >= $before - 6);

// nobody writes any more: they are still again
var_dump(settle() === $before);
?>
--EXPECT--
bool(true)
a a a, b b b
NULL
NULL
NULL
bool(true)
bool(true)
