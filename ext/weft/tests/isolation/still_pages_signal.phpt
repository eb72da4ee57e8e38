--TEST--
Who wants the signal for himself has it, and no page is still then
--EXTENSIONS--
weft
pcntl
posix
--SKIPIF--
<?php
if (getenv('USE_ZEND_ALLOC') === '0') {
    die("skip PHP's allocator must be in use");
}
if (PHP_DEBUG) {
    die('skip a build for debugging may report the signal');
}
?>
--ENV--
WEFT_SCAN_CHECK=1
--INI--
weft.still_pages=1
--FILE--
<?php
require __DIR__ . '/still_pages.inc';
$all = wide(400);
Weft\Isolation\snapshot();
var_dump(settle() > 20);

// sent by somebody, it ends a process as ever
$child = pcntl_fork();
if ($child === 0) {
    posix_kill(posix_getpid(), SIGSEGV);
    posix_kill(posix_getpid(), SIGKILL);
}
pcntl_waitpid($child, $status);
var_dump(pcntl_wifsignaled($status) && pcntl_wtermsig($status) === SIGSEGV);

// blocked, in a child as well
$child = pcntl_fork();
if ($child === 0) {
    pcntl_sigprocmask(SIG_BLOCK, [SIGUSR2, SIGSEGV], $old);
    put($all[7], 'a', 'blocked');
    posix_kill(posix_getpid(), $all[7]->a === 'blocked' && Weft\Isolation\stats()['stillPages'] === 0 ? SIGKILL : SIGTERM);
}
pcntl_waitpid($child, $status);
var_dump(pcntl_wtermsig($status) === SIGKILL);

// a number that is none at first
$child = pcntl_fork();
if ($child === 0) {
    pcntl_alarm(5);
    pcntl_signal((float) SIGSEGV, static fn () => null);
    put($all[7], 'a', 'float');
    posix_kill(posix_getpid(), SIGKILL);
}
pcntl_waitpid($child, $status);
var_dump(pcntl_wtermsig($status) === SIGKILL);

$seen = request(static function () use ($all): array {
    $heard = 0;
    pcntl_async_signals(true);
    pcntl_signal(SIGSEGV, static function () use (&$heard): void {
        $heard++;
    });
    put($all[7], 'a', 'mine');
    posix_kill(posix_getpid(), SIGSEGV);

    return [$all[7]->a, $heard, Weft\Isolation\stats()['stillPages']];
});
echo json_encode($seen), "\n";
var_dump($all[7]->a, settle());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
["mine",1,0]
NULL
int(0)
