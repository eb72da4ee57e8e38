--TEST--
Destructors of cycles made without a constructor, as lazy objects are, run in the domain that has made them
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Log
{
    public static string $of = 'base';
}

final class Cycle
{
    public string $name;
    public self $self;

    public function __destruct()
    {
        echo "$this->name in ", Log::$of, "\n";
    }
}

Weft\Isolation\snapshot();
$make = new ReflectionClass(Cycle::class);
in_domains(static function (string $me) use ($make): void {
    Log::$of = $me;
    $cycle = $make->newInstanceWithoutConstructor();
    $cycle->name = "of $me";
    $cycle->self = $cycle;
    unset($cycle);
    turn();
    if ($me === 'a') {
        gc_collect_cycles();
    }
    turn();
});
gc_collect_cycles();
echo 'then ', Log::$of, "\n";
?>
--EXPECT--
of a in a
of b in b
a: null
b: null
then base
