--TEST--
What a domain's lazy objects have made is destroyed with the domain, while its values are in place
--EXTENSIONS--
weft
--SKIPIF--
<?php if (PHP_VERSION_ID < 80400) echo 'skip lazy objects came with PHP 8.4'; ?>
--FILE--
<?php
use function Weft\Isolation\{run, snapshot};

final class Log
{
    public static array $lines = [];
}

class Connection
{
    public string $of = '';
    public ?Connection $self = null;

    public function __destruct()
    {
        echo "closed: $this->of ", json_encode(Log::$lines), "\n";
    }
}

$class = new ReflectionClass(Connection::class);
$proxy = $class->newLazyProxy(function (): Connection {
    $connection = new Connection();
    $connection->of = 'proxy';

    return $connection;
});
$cycle = $class->newLazyProxy(function (Connection $self): Connection {
    $connection = new Connection();
    $connection->of = 'cycle';
    $connection->self = $connection;

    return $connection;
});
$waits = $class->newLazyProxy(function (): Connection {
    $connection = new Connection();
    $connection->of = 'waiting';
    Async\delay(20);

    return $connection;
});
snapshot();
for ($i = 1; $i < 3; $i++) {
    run(function () use ($proxy, $cycle, $i) {
        Log::$lines[] = $i;
        echo "$i: $proxy->of $cycle->of\n";
        gc_collect_cycles();
    });
    echo "ended\n";
}
// one that ends in the middle of an initialiser
$coroutine = Async\spawn(fn () => run(fn () => $waits->of));
Async\suspend();
$coroutine->cancel();
try {
    Async\await($coroutine);
} catch (Throwable $e) {
    echo $e::class, "\n";
}
var_dump($class->isUninitializedLazyObject($waits), $class->isUninitializedLazyObject($proxy));
run(function () use ($waits) {
    echo $waits->of, "\n";
});
?>
--EXPECT--
1: proxy cycle
closed: proxy [1]
closed: cycle [1]
ended
2: proxy cycle
closed: proxy [2]
closed: cycle [2]
ended
closed: waiting []
Async\AsyncCancellation
bool(true)
bool(true)
waiting
closed: waiting []
