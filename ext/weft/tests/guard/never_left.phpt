--TEST--
No other coroutine runs below a frame of a module that is not proven, however its function is called
--EXTENSIONS--
weft
sqlite3
--FILE--
<?php
use function Async\await;
use function Async\spawn;

final class Extended extends SQLite3
{
}

/** How often another coroutine ran while $call waited in PHP code that the module called. */
function turns_during(callable $call): int
{
    $turns = 0;
    $over = false;
    $other = spawn(function () use (&$turns, &$over): void {
        while (!$over) {
            $turns++;
            usleep(500);
        }
    });
    usleep(1000);
    $before = $after = 0;
    $wait = function () use (&$turns, &$before, &$after): int {
        $before = $turns;
        usleep(5000);
        $after = $turns;
        return 1;
    };
    $call($wait);
    $over = true;
    await($other);
    return $after - $before;
}

$ways = [
    'not from a module' => fn (callable $wait) => $wait(),
    'by a proven module' => fn (callable $wait) => array_map($wait, [1]),
    'method' => function (callable $wait): void {
        $db = new SQLite3(':memory:');
        $db->createFunction('wait', $wait);
        $db->querySingle('SELECT wait()');
    },
    'inherited method' => function (callable $wait): void {
        $db = new Extended(':memory:');
        $db->createFunction('wait', $wait);
        $db->querySingle('SELECT wait()');
    },
    'method of a class declared later' => function (callable $wait): void {
        eval('class Later extends SQLite3 { public function ask() { return parent::querySingle("SELECT wait()"); } }');
        $db = new Later(':memory:');
        $db->createFunction('wait', $wait);
        $db->ask();
    },
    'closure' => function (callable $wait): void {
        $db = new SQLite3(':memory:');
        $db->createFunction('wait', $wait);
        $ask = $db->querySingle(...);
        $ask('SELECT wait()');
    },
    'by reflection' => function (callable $wait): void {
        $db = new SQLite3(':memory:');
        $db->createFunction('wait', $wait);
        (new ReflectionMethod('Extended', 'querySingle'))->invoke(new Extended(':memory:'), 'SELECT 1');
        (new ReflectionMethod('SQLite3', 'querySingle'))->getClosure($db)('SELECT wait()');
    },
    'by another function' => function (callable $wait): void {
        $db = new SQLite3(':memory:');
        $db->createFunction('wait', $wait);
        array_map([$db, 'querySingle'], ['SELECT wait()']);
    },
];
foreach ($ways as $name => $call) {
    $turns = turns_during($call);
    echo $name, ': ', $turns === 0 ? 'not left' : 'left', "\n";
}

echo "and then:\n";
$ends = [
    'an exception' => function (): void {
        $db = new SQLite3(':memory:');
        $db->createFunction('fail', fn () => throw new Exception('x'));
        try {
            @$db->querySingle('SELECT fail()');
        } catch (Exception) {
        }
    },
    'a frame in a frame' => function (): void {
        $db = new SQLite3(':memory:');
        $db->createFunction('within', fn () => (new SQLite3(':memory:'))->querySingle('SELECT 1'));
        $db->querySingle('SELECT within()');
    },
    'a fiber that was suspended inside' => function (): void {
        $db = new SQLite3(':memory:');
        $db->createFunction('suspend', fn () => Fiber::suspend());
        $fiber = new Fiber(fn () => $db->querySingle('SELECT suspend()'));
        $fiber->start();
        $fiber->resume();
    },
    'a fiber that was given up inside' => function (): void {
        $db = new SQLite3(':memory:');
        $db->createFunction('suspend', fn () => Fiber::suspend());
        $fiber = new Fiber(fn () => $db->querySingle('SELECT suspend()'));
        $fiber->start();
        unset($fiber);
        gc_collect_cycles();
    },
    'a fiber that another coroutine resumed' => function (): void {
        $db = new SQLite3(':memory:');
        $db->createFunction('suspend', fn () => Fiber::suspend());
        $fiber = new Fiber(fn () => $db->querySingle('SELECT suspend()'));
        await(spawn(fn () => $fiber->start()));
        for ($i = 0; $i < 100; $i++) {
            await(spawn(fn () => null));
        }
        $fiber->resume();
    },
];
foreach ($ends as $name => $end) {
    $turns = await(spawn(function () use ($end): int {
        $end();
        return turns_during(fn (callable $wait) => $wait());
    }));
    echo 'after ', $name, ': ', $turns === 0 ? 'not left' : 'left', "\n";
}
?>
--EXPECT--
not from a module: left
by a proven module: left
method: not left
inherited method: not left
method of a class declared later: not left
closure: not left
by reflection: not left
by another function: not left
and then:
after an exception: left
after a frame in a frame: left
after a fiber that was suspended inside: left
after a fiber that was given up inside: left
after a fiber that another coroutine resumed: left
