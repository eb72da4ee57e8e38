--TEST--
exit() in a callback or in the iterator of iterate() ends the script, as it does in a spawned task
--EXTENSIONS--
weft
pcntl
--FILE--
<?php
use function Async\{delay, iterate};

function child(Closure $what): void
{
    $pid = pcntl_fork();
    if ($pid === 0) {
        register_shutdown_function(fn () => print "shut down\n");
        $what();
        echo "not reached\n";
        exit(1);
    }
    pcntl_waitpid($pid, $status);
    echo 'status ', pcntl_wexitstatus($status), "\n";
}

child(fn () => iterate([1, 2], function (int $value) {
    try {
        $value === 1 ? delay(60_000) : exit(3);
    } finally {
        echo "unwound\n";
    }
}));
child(fn () => iterate((function () {
    yield 1;
    exit(4);
})(), fn () => delay(60_000)));
?>
--EXPECT--
unwound
shut down
status 3
shut down
status 4
