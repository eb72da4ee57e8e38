--TEST--
A destructor may wait: others run meanwhile, and may use Fibers and destructors of their own
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{spawn, await, delay};

final class Slow
{
    public function __construct(private string $name, private int $milliseconds)
    {
    }

    public function __destruct()
    {
        echo "{$this->name}: begins\n";
        usleep($this->milliseconds * 1000);
        echo "{$this->name}: ends\n";
    }
}
$long = spawn(function () {
    new Slow('long', 40);
    echo "after long\n";
});
$short = spawn(function () {
    new Slow('short', 10);
    $fiber = new Fiber(function () {
        Fiber::suspend();
        echo "a Fiber meanwhile\n";
    });
    $fiber->start();
    $fiber->resume();
});
await($long);
await($short);
?>
--EXPECT--
long: begins
short: begins
short: ends
a Fiber meanwhile
long: ends
after long
