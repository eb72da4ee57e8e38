--TEST--
wait, waitpid, wait3, waitid: for one child, any child, a group; a forked child's own calls are plain
--EXTENSIONS--
weft
ffi
posix
--SKIPIF--
<?php if (!function_exists('pcntl_fork')) die('skip needs pcntl'); ?>
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$c = libc('int waitid(int type, unsigned id, void *info, int options); int system(const char *command);');
$child = function (int $status): int {
    $pid = pcntl_fork();
    if ($pid === 0) {
        usleep(50_000);
        posix_kill(posix_getpid(), 0);
        Weft\Internal\interposition()['installed'] || exit(99);
        exit($status);
    }
    return $pid;
};
$try = function (string $name, callable $wait) use ($child) {
    $log = [];
    $tick = witness($log, 2);
    $pid = $child(7);
    $log[] = $wait($pid);
    echo "$name: ", implode(', ', $log), "\n";
};
$result = fn (int $pid, int $found, int $status) => ($found === $pid ? 'it' : $found) . ' ' . pcntl_wexitstatus($status);
$try('waitpid(pid)', fn ($pid) => $result($pid, pcntl_waitpid($pid, $status), $status));
$try('waitpid(-1)', fn ($pid) => $result($pid, pcntl_waitpid(-1, $status), $status));
$try('waitpid(0)', fn ($pid) => $result($pid, pcntl_waitpid(0, $status), $status));
$try('wait', fn ($pid) => $result($pid, pcntl_wait($status), $status));
$try('wait3', function ($pid) use ($result) {
    $usage = [];
    return $result($pid, pcntl_wait($status, 0, $usage), $status);
});
$try('waitid', function ($pid) use ($c) {
    $info = $c->new('char[128]');
    return $c->waitid(1, $pid, $info, 4);
});
$log = [];
$tick = witness($log, 2);
$log[] = $c->system('sleep 0.05; exit 3') >> 8;
echo 'system: ', implode(', ', $log), "\n";
echo 'no child: ', pcntl_waitpid(-1, $status), "\n";

// a child that uses coroutines of its own
$pid = pcntl_fork();
if ($pid === 0) {
    $log = [];
    $other = Async\spawn(function () use (&$log) { usleep(1000); $log[] = 'other'; });
    usleep(30_000);
    $log[] = 'child';
    exit($log === ['other', 'child'] ? 5 : 6);
}
pcntl_waitpid($pid, $status);
echo 'coroutines in a child: ', pcntl_wexitstatus($status), "\n";
?>
--EXPECT--
waitpid(pid): tick 1, tick 2, it 7
waitpid(-1): tick 1, tick 2, it 7
waitpid(0): tick 1, tick 2, it 7
wait: tick 1, tick 2, it 7
wait3: tick 1, tick 2, it 7
waitid: tick 1, tick 2, 0
system: tick 1, tick 2, 3
no child: -1
coroutines in a child: 5
