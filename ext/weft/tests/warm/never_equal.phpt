--TEST--
Warm: what can't be compared is never adopted
--FILE--
<?php
require __DIR__ . '/warm.inc';

class WithDestructor
{
    public function __destruct() { echo "destroyed\n"; }
}
class Place
{
    public mixed $resource = null, $generator = null, $map = null, $destructor = null, $date = null, $otherDate = null,
        $storage = null, $named = null, $cold = null, $weak = null, $nothing = null;
}
class Named
{
    public array $log = [];
    public mixed $state = null;
}
final class KeepsNothing extends Named
{
}

$place = new Place();
$known = new Named();
Weft\Isolation\snapshot();
show(warm(function (string $who) use ($place, $known): void {
    $place->resource = fopen('php://memory', 'r');
    $place->generator = (function () { yield 1; })();
    $place->map = new WeakMap();
    $place->map[$place] = $who;
    $place->destructor = new WithDestructor();
    $place->date = new DateTimeImmutable('2026-11-21 10:00', new DateTimeZone('Europe/Berlin'));
    $place->otherDate = new DateTime($who === 'ann' ? 'yesterday' : 'tomorrow');
    $place->storage = new ArrayObject(['a' => new stdClass()]);
    $place->named = new Named();
    $place->nothing = new KeepsNothing();
    $place->cold = 'equal';
    $known->log[] = 'equal';
    $known->state = 'equal';
    $place->weak = WeakReference::create($place);
}, [], ['Named', '!KeepsNothing', 'Place::cold']));
echo "then\n";
var_dump($place->date->format('c'), count($place->storage), $place->destructor, $known->log, $known->state);
?>
--EXPECT--
destroyed
destroyed
adopted Place::$date
adopted Place::$nothing
adopted Place::$storage
adopted Place::$weak
restored Named::$log: named as cold
restored Named::$state: named as cold
restored Place::$cold: named as cold
restored Place::$destructor: holds an object that differs
restored Place::$generator: holds an object that differs
restored Place::$map: holds an object that differs
restored Place::$named: holds an object that differs
restored Place::$otherDate: holds an object that differs
restored Place::$resource: a resource
then
string(25) "2026-11-21T10:00:00+01:00"
int(1)
NULL
array(0) {
}
NULL
