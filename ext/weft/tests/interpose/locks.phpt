--TEST--
flock, fcntl record locks, System V semaphores and queues: a waiting coroutine lets the holder run
--EXTENSIONS--
weft
ffi
sysvsem
sysvmsg
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$name = tempnam(sys_get_temp_dir(), 'weft');
$log = [];
$hold = function (callable $lock, callable $unlock) use (&$log) {
    return Async\spawn(function () use ($lock, $unlock, &$log) {
        $lock();
        $log[] = 'locked';
        Async\delay(20);
        $log[] = 'unlocks';
        $unlock();
    });
};

$mine = fopen($name, 'r+');
$theirs = fopen($name, 'r+');
$holder = $hold(fn () => flock($theirs, LOCK_EX), fn () => flock($theirs, LOCK_UN));
Async\delay(1);
$log[] = flock($mine, LOCK_EX) ? 'mine' : 'failed';
flock($mine, LOCK_UN);
Async\await($holder);
echo 'flock: ', implode(', ', $log), "\n";

$log = [];
$c = libc('int open(const char *p, int flags); int fcntl(int fd, int cmd, void *lock); int lockf(int fd, int cmd, long size);
    struct flock { short type; short whence; long start; long len; int pid; };');
$lock = $c->new('struct flock');
$ofd = fn (int $fd, int $type) => function () use ($c, $lock, $fd, $type) {
    $lock->type = $type;
    $lock->pid = 0;
    return $c->fcntl($fd, 38, FFI::addr($lock)); // F_OFD_SETLKW
};
[$a, $b] = [$c->open($name, 2), $c->open($name, 2)];
$holder = $hold($ofd($a, 1), $ofd($a, 2));
Async\delay(1);
$log[] = $ofd($b, 1)();
Async\await($holder);
echo 'F_OFD_SETLKW: ', implode(', ', $log), "\n";

$log = [];
$key = ftok($name, 'w');
$semaphore = sem_get($key, 1);
$holder = $hold(fn () => sem_acquire($semaphore), fn () => sem_release($semaphore));
Async\delay(1);
$log[] = sem_acquire($semaphore) ? 'mine' : 'failed';
sem_remove($semaphore);
Async\await($holder);
echo 'semop: ', implode(', ', $log), "\n";

$log = [];
$queue = msg_get_queue($key);
$sender = Async\spawn(function () use ($queue, &$log) {
    Async\delay(20);
    $log[] = 'sends';
    msg_send($queue, 5, 'hello');
});
msg_receive($queue, 5, $type, 100, $got);
$log[] = $got;
msg_remove_queue($queue);
echo 'msgrcv: ', implode(', ', $log), "\n";
unlink($name);
?>
--EXPECT--
flock: locked, unlocks, mine
F_OFD_SETLKW: locked, unlocks, 0
semop: locked, unlocks, mine
msgrcv: sends, hello
