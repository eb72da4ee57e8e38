--TEST--
Autoloaders, output callbacks and the garbage collector are not left: calls block there, and Async functions say so
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, delay};

$log = [];
spawn(function () use (&$log) {
    for ($i = 0; $i < 50; $i++) {
        delay(1);
        $log[] = 'tick';
    }
});
delay(3);
spl_autoload_register(function ($class) use (&$log) {
    $before = count($log);
    usleep(20_000);
    echo 'autoloader left: ';
    var_dump(count($log) !== $before);
    eval("class $class {}");
});
new Wanted();

ob_start(function (string $text) use (&$log) {
    $before = count($log);
    usleep(10_000);
    return $text . (count($log) === $before ? " (not left)\n" : " (left)\n");
});
echo 'output callback';
ob_end_flush();

final class Cyclic
{
    public self $self;

    public function __destruct()
    {
        try {
            delay(1);
        } catch (Async\AsyncException $e) {
            echo $e->getMessage(), "\n";
        }
    }
}
$object = new Cyclic();
$object->self = $object;
unset($object);
gc_collect_cycles();
?>
--EXPECT--
autoloader left: bool(false)
output callback (not left)
Async\delay() is not possible here: no coroutine may be left inside an autoloader, an output callback, the compiler or a run of the garbage collector
