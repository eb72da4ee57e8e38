--TEST--
Warm: recordings begin in the base, and are used once
--FILE--
<?php
use function Weft\Internal\{adopt, record};
use function Weft\Isolation\{run, snapshot};

function attempt(callable $f): void
{
    try {
        $f();
    } catch (Error $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}

attempt(fn () => record(fn () => 1));
snapshot();
attempt(fn () => run(fn () => record(fn () => 1)));
attempt(fn () => new Weft\Internal\Recording());
$a = record(fn () => 'result');
var_dump($a->result);
$a->release();
$a->release();
attempt(fn () => adopt($a, record(fn () => 1)));
attempt(fn () => adopt(record(fn () => 1), record(fn () => 1), [1]));
attempt(fn () => record(fn () => throw new Error('from inside')));
attempt(fn () => clone $a);
?>
--EXPECT--
Error: A recording starts from the base: take the snapshot first, and stay outside of domains
Error: A recording starts from the base: take the snapshot first, and stay outside of domains
Error: Call to private Weft\Internal\Recording::__construct() from global scope
string(6) "result"
ValueError: Weft\Internal\adopt(): Argument #1 ($a) has been released
TypeError: Weft\Internal\adopt(): Argument #3 ($others) must be a list of Weft\Internal\Recording
Error: from inside
Error: Trying to clone an uncloneable object of class Weft\Internal\Recording
