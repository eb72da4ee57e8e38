--TEST--
Warm: what a lazy object was initialised with is never adopted, and nor is a lazy object that both have made
--EXTENSIONS--
weft
--SKIPIF--
<?php if (PHP_VERSION_ID < 80400) echo 'skip lazy objects came with PHP 8.4'; ?>
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Isolation\{run, snapshot};

class Service
{
    public string $name = 'declared';
}
class Place
{
    public ?Service $lazy = null, $initialised = null, $behind = null;
}

$class = new ReflectionClass(Service::class);
$initialise = function (Service $service): void {
    $service->name = 'initialised';
};
$ghost = $class->newLazyGhost($initialise);
$proxy = $class->newLazyProxy(fn () => new Service());
$place = new Place();
snapshot();
show(warm(function () use ($ghost, $proxy, $place, $initialise): void {
    $class = new ReflectionClass(Service::class);
    $ghost->name .= ' and used';
    $proxy->name .= ' and used';
    $place->lazy = $class->newLazyGhost($initialise);
    $place->behind = $class->newLazyProxy(fn () => new Service());
    $place->behind->name = 'used';
    $place->initialised = $class->newLazyGhost($initialise);
    $place->initialised->name;
}));
var_dump($class->isUninitializedLazyObject($ghost), $class->isUninitializedLazyObject($proxy));
run(function () use ($ghost, $proxy, $place): void {
    echo "$ghost->name, $proxy->name, {$place->initialised?->name}\n";
});
var_dump($class->isUninitializedLazyObject($ghost));
?>
--EXPECT--
adopted Place::$initialised
restored Place::$behind: holds an object that differs
restored Place::$lazy: holds an object that differs
restored Service::$name: of a lazy object
bool(true)
bool(true)
initialised, declared, initialised
bool(true)
