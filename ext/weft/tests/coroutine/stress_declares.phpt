--TEST--
Stress mode does not come between the question whether something is declared and its declaration
--INI--
weft.stress=1
opcache.jit_buffer_size=0
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\spawn;
use function Async\await;

function declare_it(): void
{
    if (!class_exists('Conditional', false)) {
        class Conditional extends ArrayIterator
        {
        }
    }
    if (!function_exists('conditional')) {
        function conditional(): string
        {
            return Conditional::class;
        }
    }
}

// a file that loads another before it declares what depends on that
function load(): string
{
    if (!class_exists('Late', false)) {
        require __DIR__ . '/stress_declares.inc';
    }
    return Late::class;
}

$coroutines = [];
for ($i = 0; $i < 5; $i++) {
    $coroutines[] = spawn(fn() => Weft\Isolation\run(function () {
        declare_it();
        return conditional() . ' ' . load();
    }));
}
echo implode(' ', array_map(await(...), $coroutines)), "\n";
?>
--EXPECT--
Conditional Late Conditional Late Conditional Late Conditional Late Conditional Late
