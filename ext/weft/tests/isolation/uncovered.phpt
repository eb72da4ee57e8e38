--TEST--
What can't be isolated is counted, and found by the shortest way from a root
--EXTENSIONS--
weft
--FILE--
<?php
namespace App;

use function Weft\Isolation\{snapshot, stats, uncovered};

final class Registry
{
    public static array $services = [];
    public static ?\SplObjectStorage $storage = null;
    private object $inner;

    public function __construct(object $inner)
    {
        $this->inner = $inner;
    }
}

function numbers(): \Generator
{
    yield 1;
    yield 2;
}

function remembers(): void
{
    static $file = null;
    $file ??= new \SplTempFileObject();
}

$running = numbers();
$running->current();
$done = numbers();
foreach ($done as $_) {
}
Registry::$services['a']['b'] = new Registry($running);
unset($running, $_);
remembers();
Registry::$storage = new \SplObjectStorage();
Registry::$storage[new \stdClass()] = [new \LimitIterator(new \ArrayIterator([]))];
$fiber = new \Fiber(fn () => \Fiber::suspend());
$fiber->start();
$closure = (function () {
    return $this;
})->bindTo((object) ['log' => fopen('php://memory', 'r')]);
$closed = fopen('php://memory', 'r');
fclose($closed);
$engine = new \Random\Engine\Xoshiro256StarStar(1);
$randomizer = new \Random\Randomizer(new \Random\Engine\Secure());
$passes = [fopen('php://output', 'w'), popen('cat', 'w')];

snapshot();
fopen('php://memory', 'r');
echo json_encode(stats()['uncovered']), "\n";
$counts = stats()['refused'];
ksort($counts);
echo json_encode($counts, JSON_PRETTY_PRINT), "\n";
$lines = array_map(fn ($one) => "$one[class]: $one[path]: $one[reason]", uncovered());
sort($lines);
echo str_replace(__FILE__, 'here', implode("\n", $lines)), "\n";
?>
--EXPECT--
[]
{
    "Fiber": 1,
    "Generator": 1,
    "LimitIterator": 1,
    "SplTempFileObject": 1,
    "resource (stream)": 1
}
Fiber: $fiber: a fiber that has not ended: its stack can't be copied, so its first use in a request throws; made at here:40
Generator: App\Registry::$services['a']['b']->inner: a generator that has not ended: the frame that it runs in can't be copied, so its first use in a request throws; made at here:30
LimitIterator: App\Registry::$storage{contents}[0]: it keeps state that is no property, and none can be made for each request, so its first use in a request throws; made at here:39
Random\Engine\Xoshiro256StarStar: $engine: every request draws the same numbers from it, which can be guessed: make it in the request
SplTempFileObject: App\remembers() $file: it keeps state that is no property, and none can be made for each request, so its first use in a request throws; made at here:27
resource (stream): $closure->{$this}->log: an open stream: its position and buffers can't be copied, so its first use in a request throws; made at here:44
