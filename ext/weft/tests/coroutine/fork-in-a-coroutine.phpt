--TEST--
pcntl_fork() in a coroutine: the child goes on with that coroutine alone and ends with it
--EXTENSIONS--
weft
pcntl
--FILE--
<?php
use function Async\{spawn, await, delay};

$forks = spawn(function () {
    // the main script is ready to run again at the moment of the fork
    delay(2);
    $pid = pcntl_fork();
    if ($pid === 0) {
        delay(2);
        echo "child\n";
        return;
    }
    pcntl_waitpid($pid, $status);
    echo 'child ended with ', pcntl_wexitstatus($status), "\n";
});
$other = spawn(function () use ($forks) {
    await($forks);
    echo "other: in the parent only\n";
});
delay(2);
await($forks);
await($other);
echo "main: in the parent only\n";
?>
--EXPECT--
child
child ended with 0
other: in the parent only
main: in the parent only
