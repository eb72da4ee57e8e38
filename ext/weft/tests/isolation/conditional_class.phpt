--TEST--
A class that was compiled before the snapshot and declared after it is isolated
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

function declare_it(): void
{
    if (!class_exists('Conditional', false)) {
        class Conditional extends ArrayIterator
        {
            public static string $who = 'declared';
        }
        function conditional_function(): int
        {
            static $n = 0;
            return ++$n;
        }
    }
}
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    declare_it();
    $before = [Conditional::$who, conditional_function()];
    Conditional::$who = $me;
    turn();
    return [$before, Conditional::$who, conditional_function()];
});
?>
--EXPECT--
a: [["declared",1],"a",2]
b: [["declared",1],"b",2]
