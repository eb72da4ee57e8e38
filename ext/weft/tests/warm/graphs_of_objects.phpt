--TEST--
Warm: objects are compared as graphs, and what reaches a difference falls with it
--FILE--
<?php
require __DIR__ . '/warm.inc';

class Node
{
    public ?Node $next = null;
    public function __construct(public mixed $value = null) {}
}
class Place
{
    public mixed $cycle = null, $cycleWithDifference = null, $twins = null, $shared = null, $chain = null, $base = null;
    public function __construct(public Node $fixed) {}
}

$place = new Place(new Node('of the base'));
Weft\Isolation\snapshot();
show(warm(function (string $who) use ($place): void {
    $place->cycle = new Node();
    $place->cycle->next = new Node('x');
    $place->cycle->next->next = $place->cycle;

    $place->cycleWithDifference = new Node();
    $place->cycleWithDifference->next = new Node();
    $place->cycleWithDifference->next->next = $place->cycleWithDifference;
    $place->cycleWithDifference->next->value = $who;

    // two objects for one, one for the other
    $one = new Node();
    $place->twins = [$one, $who === 'ann' ? $one : new Node()];

    // different here, so different there
    $own = new Node($who);
    $place->shared = ['deep' => [$own]];
    $place->chain = new Node(new Node(new Node($own)));

    $place->base = new Node($place->fixed);
}));
var_dump($place->cycle->next->next === $place->cycle, $place->cycleWithDifference, $place->twins, $place->shared, $place->chain, $place->base->value === $place->fixed);

// adopted objects are isolated as those of the base are
Weft\Isolation\run(function () use ($place): void {
    $place->cycle->next->value = 'private';
});
var_dump($place->cycle->next->value);
// no circle is left to what a global holds: only a PHP built for debugging frees those at the end
$place->cycle->next->next = $place->cycleWithDifference = null;
?>
--EXPECTF--
adopted Place::$base
adopted Place::$cycle
restored Place::$chain: holds an object that differs
restored Place::$cycleWithDifference: holds an object that differs
restored Place::$shared: holds an object that differs
restored Place::$twins: %s
bool(true)
NULL
NULL
NULL
NULL
bool(true)
string(1) "x"
