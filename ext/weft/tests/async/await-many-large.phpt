--TEST--
Ten thousand elements: iterate() needs memory for those that run only, and await_all() one wake-up
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{await_all, delay, iterate, spawn};

const COUNT = 10_000;
$elements = function () {
    for ($i = 1; $i <= COUNT; $i++) {
        yield $i => str_repeat('x', 10_000);
    }
};
$running = $most = $sum = 0;
iterate($elements(), function (string $value, int $key) use (&$running, &$most, &$sum) {
    $most = max($most, ++$running);
    delay(0);
    $sum += $key;
    $running--;
}, 20);
$before = memory_get_usage();
$peak = memory_get_peak_usage();
iterate($elements(), function (string $value) { delay(0); }, 20);
echo $most, ' at once, sum ', $sum, ', ', memory_get_usage() - $before < 50_000 ? 'nothing kept' : 'too much kept', ', ',
    memory_get_peak_usage() < 8 << 20 ? 'little needed' : 'too much needed: ' . memory_get_peak_usage(), "\n";

[$results, $errors] = await_all(array_map(fn (int $i) => spawn(function () use ($i) {
    delay($i % 3);

    return $i % 2 ? $i : throw new RuntimeException("$i");
}), range(0, COUNT - 1)));
echo count($results), ' ', array_sum($results), ' ', count($errors), ' ', $errors[9998]->getMessage(), "\n";
?>
--EXPECT--
20 at once, sum 50005000, nothing kept, little needed
5000 25000000 5000 9998
