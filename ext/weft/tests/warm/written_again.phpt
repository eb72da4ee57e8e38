--TEST--
Warm: what a request writes again is taken back, with all that holds the same object
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Internal\{adopt, difference, record, scrub, settle};

class Thing
{
    public array $used = [];
    public string $title = '';
}
class Place
{
    public array $things = [];
    public array $callbacks = ['boot'];
    public array $shared = [];
    public mixed $alias = null;
    public array $facade = [];
}

$place = new Place();
function page(Place $place, string $who): array
{
    // a cache: made once
    if (!isset($place->things['cached'])) {
        $place->things['cached'] = new Thing();
        $place->callbacks[] = 'when the cache was made';
    }
    // made again by each request, and known under another name
    $place->things['fresh'] = new Thing();
    $place->facade['fresh'] ??= $place->things['fresh'];
    // state of the page, equal for all visitors
    $place->shared['title'] = 'Home';
    $place->shared['flag'] = true;
    $place->callbacks[] = 'by each request';
    // an object whose plain property is written each time
    $place->things['titled'] ??= new Thing();
    $place->things['titled']->title = 'Home';

    return [count($place->callbacks), array_keys($place->things)];
}

Weft\Isolation\snapshot();
$cold = record(fn () => page($place, 'eve'));
$report = adopt(record(fn () => page($place, 'ann')), record(fn () => page($place, 'bob')));
echo count($report['adopted']), " adopted\n";
for ($round = 1; $found = scrub(record(fn () => page($place, 'eve'))); $round++) {
    ksort($found);
    foreach ($found as $name => $why) {
        echo "$round: $name: $why\n";
    }
}
$warm = record(fn () => page($place, 'eve'));
var_dump($cold->result[0] === $warm->result[0], difference($cold, $warm));
$cold->release();
$warm->release();
settle();
var_dump(array_keys($place->things), $place->callbacks, $place->shared, $place->facade);
?>
--EXPECT--
8 adopted
1: Place::$callbacks: each request appends it
1: Place::$facade[fresh]: holds an object that a request writes again
1: Place::$shared[flag]: a request writes it again
1: Place::$shared[title]: a request writes it again
1: Place::$things[fresh]: a request writes it again
1: Place::$things[titled]: holds an object that a request writes again
bool(true)
NULL
array(1) {
  [0]=>
  string(6) "cached"
}
array(2) {
  [0]=>
  string(4) "boot"
  [1]=>
  string(23) "when the cache was made"
}
array(0) {
}
array(0) {
}
