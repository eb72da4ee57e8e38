--TEST--
Functions, closures and classes of a domain that is gone still work where somebody holds them
--EXTENSIONS--
weft
--INI--
opcache.enable_cli=0
--FILE--
<?php
use function Weft\Isolation\run;

class Scope {}
/* what is freed gets used for something else */
function others(): void
{
    for ($i = 0; $i < 100; $i++) {
        run(static function (): int {
            eval('class Other { public static $list = ["x"]; function f() { return fn () => fn () => self::$list; } }');
            return count((new Other())->f()()());
        });
    }
}
Weft\Isolation\snapshot();

$function = run(static function (): Closure {
    eval('function counts() { static $n = 0; return ++$n; }');
    counts();
    return counts(...);
});
others();
echo 'a function, its variables as declared: ', $function(), $function(), "\n";

$object = run(static function (): object {
    eval('class Own { public static array $list = [1]; public static mixed $own = null;
        function adds() { self::$list[] = 2; self::$own ??= $this; return count(self::$list); } }');
    $object = new Own();
    $object->adds();
    return $object;
});
others();
echo 'an object, the statics of its class as declared: ', $object->adds(), $object->adds(), "\n";

$closure = run(static function (): Closure {
    define('MAKES_TABLES', true);
    return eval('return function () { return (function () { return fn () => "inner"; })(); };');
});
others();
echo 'a closure in a closure: ', $closure()(), "\n";

$closure = run(static function (): Closure {
    $closure = eval('return function () { return (function () { return fn () => "inner"; })(); };');
    define('MAKES_TABLES', true);
    $closure()();
    return $closure;
});
others();
echo 'one that has run in tables that are gone: ', $closure()(), "\n";

$closure = run(static function (): Closure {
    eval('function helps() { return fn () => 5; }');
    $closure = function () { return helps()(); };
    $closure();
    $closure = $closure->bindTo(null, Scope::class);
    $closure();
    return $closure;
});
others();
try {
    echo $closure();
} catch (Error $error) {
    echo 'a closure that has called a function which is gone: ', $error->getMessage(), "\n";
}
?>
--EXPECT--
a function, its variables as declared: 12
an object, the statics of its class as declared: 23
a closure in a closure: inner
one that has run in tables that are gone: inner
a closure that has called a function which is gone: Call to undefined function helps()
