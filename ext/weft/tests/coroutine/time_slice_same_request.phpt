--TEST--
A time slice ends a request's turn, never that of one coroutine among those of its request
--EXTENSIONS--
weft
--INI--
weft.time_slice=1
--FILE--
<?php
require __DIR__ . '/time_slices.inc';

use function Async\{await, spawn};

domains(
    function () {
        $siblings = [];
        foreach (['one', 'two', 'three'] as $name) {
            $siblings[] = spawn(function () use ($name) {
                say("$name begins");
                compute_until("the other request saw $name") && say('the other request starves');
                say("$name ends");
            });
        }
        array_map(static fn ($one) => await($one), $siblings);
    },
    function () {
        foreach (['one', 'two', 'three'] as $name) {
            compute_until("$name begins");
            say("the other request saw $name");
        }
    },
);
?>
--EXPECT--
one begins
the other request saw one
one ends
two begins
the other request saw two
two ends
three begins
the other request saw three
three ends
