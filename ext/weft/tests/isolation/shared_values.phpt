--TEST--
For the audit: values of shared slots, references of the base, what the process holds
--EXTENSIONS--
weft
--FILE--
<?php
final class Cache
{
    public array $kept = [];
    public static array $all = [];
}
$one = new Cache();
$other = new Cache();
$captured = 1;
$closure = function () use (&$captured) { return $captured; };
Weft\Isolation\share(Cache::class, 'kept', 'a test');
Weft\Isolation\share(Cache::class, 'all', 'a test');
Weft\Isolation\snapshot();

// from 8.4 on a closure's name says where it is
echo preg_replace('/{closure:[^}]+}/', '{closure}', json_encode(Weft\Internal\references())), "\n";
$values = fn () => array_map(
    fn (array $slot): string => "{$slot['class']}::{$slot['property']} " . json_encode($slot['value']) . ($slot['bytes'] > 5000 ? ' big' : ''),
    Weft\Internal\shared_values(),
);
Weft\Isolation\run(function () use ($one): void {
    $one->kept[] = 'first';
    Cache::$all['x'] = str_repeat('z', 6000);
});
print_r(str_replace(str_repeat('z', 6000), 'zzz', $values()));
$before = Weft\Internal\footprint();
$kept = [];
for ($i = 0; $i < 100; $i++) {
    $kept[] = new Cache();
}
$junk = str_repeat('j', 1_000_000);
$after = Weft\Internal\footprint();
echo $after['objects'] - $before['objects'], ' ', $after['byClass'][Cache::class] - $before['byClass'][Cache::class], ' ',
    $after['slotsByClass'][Cache::class] - $before['slotsByClass'][Cache::class], "\n";
var_dump($after['heap'] - $before['heap'] > 1_000_000, $after['cHeap'] > 0);
foreach (['classes', 'functions', 'constants', 'resources', 'includedFiles', 'slots', 'reserved'] as $count) {
    $after[$count] > 0 || print("$count is missing\n");
}
?>
--EXPECT--
[{"holders":["{closure}() $captured","global $captured"],"type":"int"}]
Array
(
    [0] => Cache::kept ["first"]
    [1] => Cache::kept []
    [2] => Cache::all {"x":"zzz"} big
)
100 100 200
bool(true)
bool(true)
