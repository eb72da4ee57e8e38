--TEST--
A wait for any child with options that are none fails at once, as in plain PHP
--EXTENSIONS--
weft
pcntl
--FILE--
<?php
Async\await(Async\spawn(function (): void {
    $child = pcntl_fork();
    if ($child === 0) {
        sleep(30);
        exit(0);
    }
    echo pcntl_waitpid(-1, $status, 4), ' ', pcntl_strerror(pcntl_get_last_error()), "\n";
    posix_kill($child, SIGKILL);
    var_dump(pcntl_waitpid(-1, $status) === $child);
}));
?>
--EXPECT--
-1 Invalid argument
bool(true)
