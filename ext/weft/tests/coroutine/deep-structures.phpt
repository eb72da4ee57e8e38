--TEST--
A coroutine frees and compares structures as deep as a script does: its C stack is as large
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (getenv('USE_ZEND_ALLOC') === '0') {
    die('skip memory checkers use more stack');
}
?>
--FILE--
<?php
use function Async\{spawn, await};

function chain(int $length): stdClass
{
    $last = new stdClass();
    for ($i = 1; $i < $length; $i++) {
        $next = new stdClass();
        $next->next = $last;
        $last = $next;
    }
    return $last;
}
echo await(spawn(function () {
    $a = chain(10_000);
    $b = chain(10_000);
    $same = $a == $b;
    unset($a, $b);
    return $same ? "same, and freed\n" : "differ\n";
}));
?>
--EXPECT--
same, and freed
