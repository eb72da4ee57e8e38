--TEST--
A fatal error in a coroutine leaves no timer of the script's wait behind for who waits while PHP shuts down
--EXTENSIONS--
weft
--INI--
html_errors=0
--FILE--
<?php
use function Async\{delay, spawn};

function wait_with_another_stack(int $depth): void
{
    // what lay on the script's stack is written over
    $depth > 0 ? array_map(fn () => wait_with_another_stack($depth - 1), [1]) : delay(60);
}

register_shutdown_function(function () {
    wait_with_another_stack(3);
    echo "the shutdown function ends\n";
});
spawn(function () {
    delay(1);
    trigger_error('broken', E_USER_ERROR);
});
try {
    delay(30);
    echo "not reached\n";
} finally {
    echo "nor is this\n";
}
?>
--EXPECTF--
%AFatal error: broken in %s on line %d
the shutdown function ends
