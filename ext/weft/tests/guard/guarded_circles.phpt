--TEST--
A wait for a guarded module that could never end throws in the coroutine that would close the circle, and names both sides
--EXTENSIONS--
weft
sqlite3
ffi
--INI--
weft.guarded_modules=sqlite3,ffi
ffi.enable=1
error_reporting=24575
--FILE--
<?php
use function Async\await;
use function Async\await_all_or_fail;
use function Async\spawn;

$libc = FFI::cdef('int abs(int value);', 'libc.so.6');

/** Runs this in a call of sqlite3. */
function in_sqlite(callable $do): mixed
{
    $result = null;
    $db = new SQLite3(':memory:');
    $db->createFunction('run', function () use ($do, &$result): int {
        try {
            $result = $do();
        } catch (Throwable $e) {
            $result = $e;
        }
        return 1;
    });
    $db->querySingle('SELECT run()');
    return $result instanceof Throwable ? throw $result : $result;
}

/** Runs this in a call of FFI, which calls PHP code when it becomes a string. */
function in_ffi(callable $do): mixed
{
    global $libc;
    $text = new class ($do) {
        public mixed $result = null;

        public function __construct(public mixed $do)
        {
        }

        public function __toString(): string
        {
            try {
                $this->result = ($this->do)();
            } catch (Throwable $e) {
                $this->result = $e;
            }
            return 'int';
        }
    };
    FFI::type($text);
    return $text->result instanceof Throwable ? throw $text->result : $text->result;
}

function try_it(string $title, callable $do): void
{
    try {
        $result = $do();
        echo $title, ': ', json_encode($result), "\n";
    } catch (Throwable $e) {
        echo $title, ': ', $e::class, ': ', preg_replace('/#\d+/', '#N', $e->getMessage()), "\n";
    }
}

$a = spawn(fn () => in_sqlite(function () {
    usleep(2000);
    return in_ffi(fn () => 'both');
}));
$b = spawn(fn () => in_ffi(function () {
    usleep(1000);
    return in_sqlite(fn () => 'both');
}));
foreach (['A' => $a, 'B' => $b] as $name => $coroutine) {
    try_it($name, fn () => await($coroutine));
}

try_it('awaits a child that waits for its call', fn () => in_sqlite(function () {
    $child = spawn(fn () => in_sqlite(fn () => 'child'));
    usleep(1000);
    return await($child);
}));
try_it('awaits a child that will wait', fn () => in_sqlite(fn () => await(spawn(function () {
    usleep(1000);
    return in_sqlite(fn () => 'child');
}))));
try_it('awaits several', fn () => in_sqlite(fn () => await_all_or_fail([
    spawn(fn () => usleep(1000)),
    spawn(function () {
        usleep(500);
        return in_sqlite(fn () => 'child');
    }),
])));
try_it('no circle: children one after the other', function () {
    $children = [];
    in_sqlite(function () use (&$children) {
        foreach (['x', 'y'] as $name) {
            $children[] = spawn(fn () => in_sqlite(fn () => in_ffi(fn () => $name)));
        }
        usleep(1000);
    });
    return await_all_or_fail($children);
});
try_it('no circle: awaits a child that does something else', fn () => in_sqlite(fn () => await(spawn(function () {
    usleep(1000);
    return 'else';
}))));
?>
--EXPECT--
A: Async\DeadlockError: Coroutine #N, in a call of sqlite3, can't wait for a call of FFI: coroutine #N, in a call of FFI, waits for a call of sqlite3, so neither would go on. Don't wait in code that an extension calls, or call the extension before or after
B: "both"
awaits a child that waits for its call: Async\DeadlockError: Coroutine #N, in a call of sqlite3, can't wait for another coroutine: coroutine #N waits for a call of sqlite3, so neither would go on. Don't wait in code that an extension calls, or call the extension before or after
awaits a child that will wait: Async\DeadlockError: Coroutine #N can't wait for a call of sqlite3: coroutine #N, in a call of sqlite3, waits for another coroutine, so neither would go on. Don't wait in code that an extension calls, or call the extension before or after
awaits several: Async\DeadlockError: Coroutine #N can't wait for a call of sqlite3: coroutine #N, in a call of sqlite3, waits for several coroutines, so neither would go on. Don't wait in code that an extension calls, or call the extension before or after
no circle: children one after the other: ["x","y"]
no circle: awaits a child that does something else: "else"
