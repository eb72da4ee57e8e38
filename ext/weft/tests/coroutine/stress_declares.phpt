--TEST--
Stress mode comes anywhere among declarations but where another's autoloader could come between the question and its answer
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

// By hand, in three ways, what others let their autoloader load.
$dir = sys_get_temp_dir() . '/weft-stress-declares-' . getmypid();
mkdir($dir);
const ROUNDS = 40;
for ($n = 0; $n < ROUNDS; $n++) {
    file_put_contents("$dir/InFile$n.php", "<?php class InFile$n {}");
    eval("function by_hand_$n(): string {
        if (!class_exists('Inline$n', false)) {
            class Inline$n {}
        }
        class_exists('InFile$n', false) || require '$dir/InFile$n.php';
        if (!class_exists('InEval$n', false)) {
            eval('class InEval$n {}');
        }
        return Inline$n::class . InFile$n::class . InEval$n::class;
    }");
}
spl_autoload_register(function (string $class) use ($dir): void {
    if (str_starts_with($class, 'InFile')) {
        require "$dir/$class.php";
    } else {
        eval("class $class {}");
    }
});
Weft\Isolation\snapshot();
$coroutines = [];
for ($i = 0; $i < 5; $i++) {
    $coroutines[] = spawn(fn() => Weft\Isolation\run(function () {
        declare_it();
        return conditional() . ' ' . load();
    }));
}
echo implode(' ', array_map(static fn ($one) => await($one), $coroutines)), "\n";

// For some number of turns that it waits, each loads in the middle of the other's code.
for ($n = 0; $n < ROUNDS; $n++) {
    $loads = spawn(fn() => Weft\Isolation\run(function () use ($n) {
        for ($i = 0; $i < $n; $i++) {
        }
        return get_class(new ("Inline$n")()) . get_class(new ("InFile$n")()) . get_class(new ("InEval$n")());
    }));
    $by_hand = spawn(fn() => Weft\Isolation\run("by_hand_$n"));
    if (await($loads) !== "Inline{$n}InFile{$n}InEval{$n}" || await($by_hand) !== "Inline{$n}InFile{$n}InEval{$n}") {
        echo "Round $n went wrong\n";
    }
}
array_map(unlink(...), glob("$dir/*"));
rmdir($dir);
?>
--EXPECT--
Conditional Late Conditional Late Conditional Late Conditional Late Conditional Late
