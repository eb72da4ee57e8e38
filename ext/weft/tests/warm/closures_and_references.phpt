--TEST--
Warm: closures compare by function, scope, bound object and variables; references by what they hold
--FILE--
<?php
require __DIR__ . '/warm.inc';

class Place
{
    public mixed $plain = null, $bound = null, $boundToVisitor = null, $otherFunction = null, $onBase = null, $callable = null,
        $reference = null, $referenceOfVisitor = null, $counter = null;

    public function closure(): Closure
    {
        return fn () => $this->plain;
    }
}

$place = new Place();
Weft\Isolation\snapshot();
show(warm(function (string $who) use ($place): void {
    $place->plain = static fn () => 1;
    $place->otherFunction = $who === 'ann' ? static fn () => 1 : static fn () => 1;
    $same = 'same';
    $place->bound = static fn () => $same;
    $place->boundToVisitor = static fn () => $who;
    $place->onBase = $place->closure();
    $place->callable = strlen(...);
    $value = 1;
    $place->reference = [&$value, &$value];
    $name = $who;
    $place->referenceOfVisitor = ['a' => [&$name, &$name]];
    $place->counter = static function () {
        static $calls = 0;
        return ++$calls;
    };
    ($place->counter)();
}));
var_dump(($place->bound)(), ($place->onBase)() === $place->plain, ($place->callable)('abc'));
$copy = $place->reference;
$copy[0] = 5;
var_dump($place->reference[1]);
// a closure's own variables are the base's now
var_dump(Weft\Isolation\run(fn () => ($place->counter)()), Weft\Isolation\run(fn () => ($place->counter)()));
// no circle is left to what a global holds: only a PHP built for debugging frees those at the end
$place->onBase = null;
?>
--EXPECT--
adopted Place::$bound
adopted Place::$callable
adopted Place::$counter
adopted Place::$onBase
adopted Place::$plain
adopted Place::$reference
restored Place::$boundToVisitor: holds an object that differs
restored Place::$otherFunction: holds an object that differs
restored Place::$referenceOfVisitor: holds an object that differs
string(4) "same"
bool(true)
int(3)
int(5)
int(2)
int(2)
