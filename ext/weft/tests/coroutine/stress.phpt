--TEST--
Stress mode switches between domains in the middle of PHP code, and never between coroutines of one domain
--INI--
weft.stress=1
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\spawn;
use function Async\await;

// Without a snapshot domains share PHP values, so that all of them can write into one list.
$log = [];

function count_up(string $name): void
{
    global $log;
    for ($i = 0; $i < 50; $i++) {
        $log[] = $name;
    }
}

function domain(string $name): Closure
{
    return fn() => Weft\Isolation\run(static function () use ($name) {
        $children = [];
        foreach (['1', '2'] as $child) {
            $children[] = spawn(count_up(...), $name . $child);
        }
        array_map(static fn ($one) => await($one), $children);
    });
}

function runs(array $log): int
{
    $runs = 0;
    foreach ($log as $i => $name) {
        $runs += $i === 0 || $log[$i - 1] !== $name ? 1 : 0;
    }
    return $runs;
}

$a = spawn(domain('a'));
$b = spawn(domain('b'));
await($a);
await($b);
$domains = array_map(fn($name) => $name[0], $log);
echo 'between domains: ', runs($domains) > 50 ? 'interleaved' : 'not', "\n";
foreach (['a', 'b'] as $name) {
    $own = array_values(array_filter($log, fn($entry) => $entry[0] === $name));
    echo "inside $name: ", runs($own), " runs of ", count($own), "\n";
}
?>
--EXPECT--
between domains: interleaved
inside a: 2 runs of 100
inside b: 2 runs of 100
