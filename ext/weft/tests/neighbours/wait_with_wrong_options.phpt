--TEST--
A request's wait for any child with options that are none fails at once, as in plain PHP
--EXTENSIONS--
weft
pcntl
posix
--FILE--
<?php
Weft\Isolation\snapshot();
Async\await(Async\spawn(fn () => Weft\Isolation\run(function (): void {
    $child = pcntl_fork();
    if ($child === 0) {
        sleep(10);
        exit(0);
    }
    echo pcntl_waitpid(-1, $status, 4), ' ', pcntl_strerror(pcntl_get_last_error()), "\n";
    posix_kill($child, SIGKILL);
    var_dump(pcntl_waitpid(-1, $status) === $child, pcntl_wifsignaled($status));
})));
?>
--EXPECT--
-1 Invalid argument
bool(true)
bool(true)
