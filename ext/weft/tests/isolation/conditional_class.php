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
