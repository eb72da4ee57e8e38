--TEST--
Fiber::getCurrent() tells spawned coroutines apart, suspend() and resume() are refused, and a script's own Fibers work
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{await, await_all_or_fail, delay, iterate, spawn};

/** Keeps something for each flow of control, as Monolog does. */
final class Keyed
{
    public WeakMap $depths;

    public function __construct()
    {
        $this->depths = new WeakMap();
    }

    public function enter(): int
    {
        $key = $this->current() ?? $this;
        return $this->depths[$key] = ($this->depths[$key] ?? 0) + 1;
    }

    public function current(): ?Fiber
    {
        return Fiber::getCurrent();
    }
}

/** Suspends where a Fiber runs, and waits by itself elsewhere, as Revolt does. */
final class Loop
{
    public function isInFiber(): bool
    {
        return array_map('Fiber::getCurrent', []) === [] && call_user_func('Fiber::getCurrent') !== null;
    }

    public function callback(): Closure
    {
        return fn () => Fiber::getCurrent()->suspend();
    }
}

function suspends_if_it_can(): ?string
{
    return Fiber::getCurrent() ? Fiber::suspend('suspended') : 'no fiber';
}

function refused(callable $call): void
{
    try {
        $call();
    } catch (Throwable $e) {
        echo '  ', $e::class, ': ', $e->getMessage(), "\n";
    }
}

function suspend(): void
{
    Fiber::suspend();
}

$keyed = new Keyed();
$loop = new Loop();

echo "a key:\n";
$enter = function () use ($keyed) {
    $first = $keyed->enter();
    $fiber = $keyed->current();
    delay(1);
    return [$first, $keyed->enter(), $fiber === $keyed->current()];
};
echo json_encode(await_all_or_fail([spawn($enter), spawn($enter), spawn($enter)])), "\n";
echo json_encode([$keyed->enter(), $keyed->enter(), count($keyed->depths)]), "\n";
iterate((function () use ($keyed) {
    yield 'drawn ' . $keyed->enter() . $keyed->enter();
    yield 'drawn ' . $keyed->enter();
})(), function (string $drawn) use ($keyed) {
    delay(1);
    echo $drawn, ', called ', $keyed->enter(), $keyed->enter(), "\n";
}, 1);
echo count($keyed->depths), "\n";

echo "code that suspends:\n";
$inside = fn () => [$loop->isInFiber(), suspends_if_it_can()];
echo json_encode(await(spawn($inside))), "\n";
echo json_encode(await(spawn(function () use ($inside) {
    $fiber = new Fiber($inside);
    return [$fiber->start(), $fiber->resume('resumed'), $fiber->getReturn()];
}))), "\n";

echo "as a Fiber:\n";
$task = spawn(function () use ($keyed) {
    $mine = $keyed->current();
    delay(1);
    refused(fn () => $mine->start());
    refused(fn () => $mine->resume());
    refused(fn () => $mine->throw(new Exception()));
    refused(fn () => $mine->getReturn());
    refused(fn () => $mine->__construct(fn () => 1));
    refused(suspend(...));
    $fiber = new Fiber(function () use ($keyed, $mine) {
        suspend();
        delay(1);
        return [$keyed->current() === $mine, $mine->isRunning()];
    });
    $fiber->start();
    $fiber->resume();
    $reflection = new ReflectionFiber($mine);
    echo json_encode([$fiber->getReturn(), $keyed->current() === $mine, $reflection->getTrace(), $reflection->getExecutingFile(),
        $reflection->getExecutingLine(), $reflection->getCallable()::class, $reflection->getFiber() === $mine]), "\n";
    gc_collect_cycles();
    return [$mine, $mine->isStarted(), $mine->isRunning(), $mine->isSuspended(), $mine->isTerminated()];
});
[$fiber] = $states = await($task);
echo json_encode(array_slice($states, 1)), "\n";
echo json_encode([$fiber->isStarted(), $fiber->isRunning(), $fiber->isSuspended(), $fiber->isTerminated(), $fiber->getReturn() === $states]), "\n";
refused(fn () => $fiber->resume());
$task = spawn(function () use (&$fiber, $keyed) {
    $fiber = $keyed->current();
    throw new Exception('failed');
});
refused(fn () => await($task));
refused(fn () => $fiber->getReturn());
var_dump($keyed->current());

echo "what it is the key of goes with the coroutine:\n";
unset($fiber, $states, $task);
gc_collect_cycles();
await(spawn(function () use ($keyed) {
    $keyed->depths[$keyed->current()] = new class ($keyed) {
        public function __construct(private Keyed $keyed)
        {
        }

        public function __destruct()
        {
            echo 'freed, ';
            var_dump($this->keyed->current());
        }
    };
}));
echo count($keyed->depths), "\n";

echo "alive at the script's end:\n";
spawn(function () use ($keyed) {
    $keyed->current();
    try {
        delay(60000);
    } finally {
        var_dump($keyed->current()->isRunning());
    }
});
delay(1);
exit;
?>
--EXPECT--
a key:
[[1,2,true],[1,2,true],[1,2,true]]
[1,2,1]
drawn 12, called 12
drawn 3, called 12
1
code that suspends:
[false,"no fiber"]
["suspended",null,[true,"resumed"]]
as a Fiber:
  FiberError: Cannot start a fiber that has already been started
  FiberError: Cannot resume a fiber that is not suspended
  FiberError: Cannot resume a fiber that is not suspended
  FiberError: Cannot get fiber return value: The fiber has not returned
  FiberError: Cannot call constructor twice
  FiberError: Cannot suspend outside of a fiber
[[false,true],true,[],null,null,"Closure",true]
[true,true,false,false]
[true,false,false,true,true]
  FiberError: Cannot resume a fiber that is not suspended
  Exception: failed
  FiberError: Cannot get fiber return value: The fiber threw an exception
NULL
what it is the key of goes with the coroutine:
freed, NULL
1
alive at the script's end:
bool(true)
