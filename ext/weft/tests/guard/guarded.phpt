--TEST--
One coroutine at a time is in a call of a guarded module, in the order in which they came, and others run meanwhile
--EXTENSIONS--
weft
sqlite3
--INI--
weft.guarded_modules=sqlite3
--FILE--
<?php
use function Async\await;
use function Async\await_all_or_fail;
use function Async\spawn;

/** A database whose SQL function wait() calls this. */
function database(callable $wait): SQLite3
{
    $db = new SQLite3(':memory:');
    $db->createFunction('wait', $wait);
    return $db;
}

$log = [];
$inside = $most = 0;
/** A call of the module that waits for a while. */
function call(string $name, int $turns = 3): void
{
    global $log, $inside, $most;
    $db = database(function () use ($name, $turns): int {
        global $log, $inside, $most;
        $most = max($most, ++$inside);
        $log[] = "$name in";
        for ($i = 0; $i < $turns; $i++) {
            usleep(500);
        }
        $inside--;
        $log[] = "$name out";
        return 1;
    });
    @$db->querySingle('SELECT wait()');
}

function told(string $title): void
{
    global $log;
    echo $title, ': ', implode(', ', $log), "\n";
    $log = [];
}

echo Weft\Internal\modules()['sqlite3'], "\n";

$turns = 0;
$other = spawn(function () use (&$turns): void {
    while ($turns < 3) {
        $turns++;
        usleep(100);
    }
});
call('one');
await($other);
echo 'others run meanwhile: ', $turns, "\n";
told('alone');

await_all_or_fail(array_map(fn (string $name) => spawn(fn () => call($name)), ['a', 'b', 'c', 'd']));
told('in order');
echo 'at once: ', $most, "\n";

$first = spawn(fn () => call('first', 10));
$second = spawn(fn () => call('cancelled'));
$third = spawn(fn () => call('third'));
usleep(1000);
$second->cancel();
try {
    await($second);
} catch (Throwable $e) {
    echo get_class($e), "\n";
}
await($first);
await($third);
told('a cancelled wait');

$db = database(function () use (&$log): int {
    call('inner');
    $log[] = 'outer';
    return 1;
});
$outer = spawn(fn () => $db->querySingle('SELECT wait()'));
$other = spawn(fn () => call('after'));
await($outer);
await($other);
told('entered again by its own callback');

$db = database(function () use (&$child): int {
    $child = spawn(fn () => call('child'));
    usleep(2000);
    $GLOBALS['log'][] = 'parent';
    return 1;
});
$db->querySingle('SELECT wait()');
await($child);
told('a child that its parent does not wait for');

/** A Fiber that is suspended in a call. */
function suspended(): Fiber
{
    $db = database(fn () => Fiber::suspend());
    $fiber = new Fiber(fn () => $db->querySingle('SELECT wait()'));
    $fiber->start();
    return $fiber;
}
$ends = [
    'an exception' => function (): void {
        $db = database(fn () => throw new Exception('x'));
        try {
            @$db->querySingle('SELECT wait()');
        } catch (Exception) {
        }
    },
    'a cancelled call' => function (): void {
        $call = spawn(fn () => call('cut', 100));
        usleep(1000);
        $call->cancel();
        try {
            await($call);
        } catch (Throwable) {
        }
    },
    'a fiber that was suspended inside' => fn () => suspended()->resume(),
    'a fiber that was given up inside' => function (): void {
        suspended();
        gc_collect_cycles();
    },
    'a fiber that another coroutine resumes' => function (): void {
        $fiber = await(spawn(suspended(...)));
        await(spawn(fn () => $fiber->resume()));
    },
];
foreach ($ends as $name => $end) {
    await(spawn($end));
    $log = [];
    await(spawn(fn () => call('next')));
    told("after $name");
}

$fiber = await(spawn(suspended(...)));
$GLOBALS['inside'] = 0;
$waits = spawn(fn () => call('waits'));
usleep(2000);
$log[] = 'resumed';
$fiber->resume();
await($waits);
told('a fiber inside keeps others out');
?>
--EXPECT--
guarded
others run meanwhile: 3
alone: one in, one out
in order: a in, a out, b in, b out, c in, c out, d in, d out
at once: 1
Async\AsyncCancellation
a cancelled wait: first in, first out, third in, third out
entered again by its own callback: inner in, inner out, outer, after in, after out
a child that its parent does not wait for: parent, child in, child out
after an exception: next in, next out
after a cancelled call: next in, next out
after a fiber that was suspended inside: next in, next out
after a fiber that was given up inside: next in, next out
after a fiber that another coroutine resumes: next in, next out
a fiber inside keeps others out: resumed, waits in, waits out
