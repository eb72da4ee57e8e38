--TEST--
Warm: values that two recordings leave equal become part of the base, others stay cold
--FILE--
<?php
require __DIR__ . '/warm.inc';

class Place
{
    public ?string $same = null;
    public ?string $differs = 'cold';
    public int $number = 0;
    public float $ratio = 0.0;
    public ?array $list = null;
    public ?array $order = null;
    public ?bool $once = null;
    public static ?string $static = null;
}

function counted(): int
{
    static $calls = 0;

    return ++$calls;
}

$place = new Place();
Weft\Isolation\snapshot();
show(warm(function (string $who) use ($place): void {
    $place->same = 'equal ' . strlen('abc');
    $place->differs = $who;
    $place->number = 7;
    $place->ratio = 0.5;
    $place->list = [1, 'two', [3.0]];
    $place->order = $who === 'ann' ? ['a' => 1, 'b' => 2] : ['b' => 2, 'a' => 1];
    if ($who === 'ann') {
        $place->once = true;
    }
    Place::$static = 'static';
    counted();
    $GLOBALS['global'] = 'never';
}));
var_dump($place->same, $place->differs, $place->number, $place->ratio, $place->list[1], $place->order, $place->once, Place::$static, counted(), isset($global));
?>
--EXPECT--
adopted Place::$list
adopted Place::$number
adopted Place::$ratio
adopted Place::$same
adopted Place::$static
adopted counted()::$calls
restored Place::$differs: different strings
restored Place::$once: only one has changed it
restored Place::$order: arrays with different keys
restored a global variable: never adopted
string(7) "equal 3"
string(4) "cold"
int(7)
float(0.5)
string(3) "two"
NULL
NULL
string(6) "static"
int(2)
bool(false)
