--TEST--
An unseen exception is reported while another one unwinds the code that held its coroutine, and both survive
--EXTENSIONS--
weft
--INI--
html_errors=0
--FILE--
<?php
use function Async\{spawn, await, suspend};

function all(): void
{
    $tasks = [];
    foreach (['first', 'second'] as $name) {
        $tasks[$name] = spawn(fn () => throw new Error($name));
    }
    suspend();
    foreach ($tasks as $name => $task) {
        $result = await($task);
        echo "$name: not reached\n";
    }
}
try {
    all();
} catch (Error $e) {
    echo 'caught: ', $e->getMessage(), "\n";
}
set_error_handler(fn ($number, $text) => throw new ErrorException(strtok($text, "\n")));
try {
    all();
} catch (Throwable $e) {
    echo get_class($e), ', before it: ', $e->getPrevious()?->getMessage(), "\n";
}
?>
--EXPECTF--
Warning: Uncaught Error: second in %a
  in coroutine #3, spawned in %suncaught-while-unwinding.php on line 8
caught: first
ErrorException, before it: first
