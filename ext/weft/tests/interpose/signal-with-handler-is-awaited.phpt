--TEST--
Who waits for a signal gets it although it has a handler and is not blocked, while others run
--EXTENSIONS--
weft
pcntl
posix
--FILE--
<?php
use function Async\{spawn, await};

pcntl_async_signals(true);
pcntl_signal(SIGUSR1, static function (): void {
    echo "the handler\n";
});
$others = spawn(static function (): void {
    for ($i = 0; $i < 3; $i++) {
        usleep(2_000);
        echo "another coroutine runs\n";
    }
    posix_kill(posix_getpid(), SIGUSR1);
});
var_dump(pcntl_sigtimedwait([SIGUSR1], $info, 10) === SIGUSR1, $info['signo'] === SIGUSR1);
await($others);

// one that would end the process
$others = spawn(static function (): void {
    usleep(2_000);
    posix_kill(posix_getpid(), SIGSEGV);
});
var_dump(pcntl_sigtimedwait([SIGSEGV], $info, 10) === SIGSEGV);
await($others);

echo "nobody waits for it any more:\n";
posix_kill(posix_getpid(), SIGUSR1);
pcntl_signal_dispatch();
pcntl_sigprocmask(SIG_BLOCK, [SIGWINCH], $blocked);
var_dump(in_array(SIGUSR1, $blocked, true), in_array(SIGSEGV, $blocked, true));
?>
--EXPECT--
another coroutine runs
another coroutine runs
another coroutine runs
bool(true)
bool(true)
bool(true)
nobody waits for it any more:
the handler
bool(false)
bool(false)
