--TEST--
Code that runs while all signals are blocked writes to a still page
--EXTENSIONS--
weft
pcntl
posix
--SKIPIF--
<?php
if (getenv('USE_ZEND_ALLOC') === '0') {
    die("skip PHP's allocator must be in use");
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

// ext/pcntl blocks all signals while a handler runs, here beyond a switch
$seen = request(static function () use ($all): array {
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, static function () use ($all): void {
        put($all[7], 'a', 'before');
        Async\suspend();
        settle(3);
        put($all[300], 'a', 'after');
    });
    posix_kill(posix_getpid(), SIGUSR1);
    settle(3);

    return [$all[7]->a, $all[300]->a];
});
echo json_encode($seen), "\n";
var_dump($all[7]->a, settle() > 20);

// what is blocked stays so in another program: there no page is still
preg_match('~/\S+/weft\.so~', file_get_contents('/proc/self/maps'), $extension);
$child = proc_open([PHP_BINARY, '-n', '-r', 'pcntl_sigprocmask(SIG_BLOCK, [SIGSEGV]); pcntl_exec($argv[1], array_slice($argv, 2));',
    PHP_BINARY, '-n', '-d', "extension=$extension[0]", '-d', 'weft.still_pages=1', '-r',
    'require $argv[1]; $all = wide(400); Weft\Isolation\snapshot(); echo settle(), "\n";'
    . 'request(static fn () => put($all[7], "a", "masked")); var_dump($all[7]->a);', __DIR__ . '/still_pages.inc'], [1 => ['pipe', 'w']], $pipes);
echo stream_get_contents($pipes[1]);
var_dump(proc_close($child));
?>
--EXPECT--
bool(true)
["before","after"]
NULL
bool(true)
0
NULL
int(0)
