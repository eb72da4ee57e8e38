--TEST--
Warm: the proof finds state that belongs to something that was put back, and everything can be put back
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Internal\{cool, difference, record};

class Model
{
    public static array $booted = [];
}
class Dispatcher
{
    public array $listeners = [];
}

$dispatcher = new Dispatcher();
function page(Dispatcher $dispatcher, string $who): void
{
    if (!isset(Model::$booted['Post'])) {
        Model::$booted['Post'] = true;
        $dispatcher->listeners['saved'] = static fn () => $who;
    }
}

Weft\Isolation\snapshot();
$cold = record(fn () => page($dispatcher, 'eve'));
show(warm(fn (string $who) => page($dispatcher, $who)));
$warm = record(fn () => page($dispatcher, 'eve'));
var_dump(difference($cold, $warm));
$cold->release();
$warm->release();
cool();
var_dump(Model::$booted, $dispatcher->listeners);
Weft\Isolation\run(function () use ($dispatcher): void {
    page($dispatcher, 'zoe');
    var_dump(count($dispatcher->listeners));
});
?>
--EXPECT--
adopted Model::$booted[Post]
restored Dispatcher::$listeners[saved]: holds an object that differs
string(64) "Dispatcher::$listeners[saved]: only the cold request has left it"
array(0) {
}
array(0) {
}
int(1)
