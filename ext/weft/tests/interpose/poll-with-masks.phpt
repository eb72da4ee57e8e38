--TEST--
ppoll, select, pselect, epoll_wait and epoll_pwait2 let the others run
--EXTENSIONS--
weft
ffi
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$c = libc('struct pollfd { int fd; short events; short revents; };
    struct timespec { long sec; long nsec; }; struct timeval { long sec; long usec; };
    typedef struct { unsigned long bits[16]; } fd_set;
    #pragma pack(1)
    struct epoll_event { uint32_t events; ' . (php_uname('m') === 'x86_64' ? '' : 'uint32_t gap; ') . 'uint32_t data; uint32_t high; };
    int ppoll(struct pollfd *fds, unsigned long n, struct timespec *t, void *mask);
    int __poll_chk(struct pollfd *fds, unsigned long n, int timeout, size_t size);
    int select(int n, fd_set *in, fd_set *out, fd_set *ex, struct timeval *t);
    int pselect(int n, fd_set *in, fd_set *out, fd_set *ex, struct timespec *t, void *mask);
    int epoll_create1(int flags);
    int epoll_ctl(int ep, int op, int fd, struct epoll_event *e);
    int epoll_wait(int ep, struct epoll_event *e, int max, int timeout);
    int epoll_pwait2(int ep, struct epoll_event *e, int max, struct timespec *t, void *mask);
    int pipe(int ends[2]); long write(int fd, const void *b, size_t n); long read(int fd, void *b, size_t n);');
$ends = $c->new('int[2]');
$c->pipe($ends);
[$r, $w] = [$ends[0], $ends[1]];
$one = function (int $events) use ($c, $r) {
    $fds = $c->new('struct pollfd[1]');
    $fds[0]->fd = $r;
    $fds[0]->events = $events;
    return $fds;
};
$set = function (int ...$fds) use ($c) {
    $set = $c->new('fd_set');
    foreach ($fds as $fd) {
        $set->bits[intdiv($fd, 64)] |= 1 << ($fd % 64);
    }
    return $set;
};
$ep = $c->epoll_create1(0);
$event = $c->new('struct epoll_event');
$event->events = 1;
$event->data = 77;
$c->epoll_ctl($ep, 1, $r, FFI::addr($event));
$byte = $c->new('char[1]');

$waits = [
    'ppoll' => fn () => $c->ppoll($one(1), 1, null, null),
    '__poll_chk' => fn () => $c->__poll_chk($one(1), 1, -1, 8),
    'select' => function () use ($c, $set, $r) {
        $in = $set($r, 0);
        $in->bits[0] &= ~1;
        return $c->select($r + 1, FFI::addr($in), null, null, null) . ($in->bits[0] >> $r & 1 ? ' readable' : '');
    },
    'pselect' => function () use ($c, $set, $r) {
        $in = $set($r);
        return $c->pselect($r + 1, FFI::addr($in), null, null, null, null);
    },
    'epoll_wait' => function () use ($c, $ep) {
        $got = $c->new('struct epoll_event[4]');
        return $c->epoll_wait($ep, $got, 4, -1) . ' data ' . $got[0]->data;
    },
    'epoll_pwait2' => function () use ($c, $ep) {
        $got = $c->new('struct epoll_event[4]');
        return $c->epoll_pwait2($ep, $got, 4, null, null);
    },
];
foreach ($waits as $name => $wait) {
    $log = [];
    $writer = Async\spawn(function () use ($c, $w, &$log) {
        Async\delay(10);
        $log[] = 'write';
        $c->write($w, 'x', 1);
    });
    $log[] = $wait();
    Async\await($writer);
    $c->read($r, $byte, 1);
    echo "$name: ", implode(', ', $log), "\n";
}

// time limits
$time = $c->new('struct timeval');
$time->usec = 20000;
$in = $set($r);
$log = [];
$tick = witness($log, 1);
$log[] = $c->select($r + 1, FFI::addr($in), null, null, FFI::addr($time));
echo 'select, time limit: ', implode(', ', $log), ", left {$time->sec}.{$time->usec}, set {$in->bits[0]}\n";
$short = $c->new('struct timespec');
$short->nsec = 15_000_000;
$log = [];
$tick = witness($log, 1);
$got = $c->new('struct epoll_event[4]');
$log[] = $c->epoll_pwait2($ep, $got, 4, FFI::addr($short), null);
echo 'epoll_pwait2, time limit: ', implode(', ', $log), "\n";
$in = $set(900);
echo 'select, closed descriptor: ', $c->select(901, FFI::addr($in), null, null, null), "\n";
?>
--EXPECT--
ppoll: write, 1
__poll_chk: write, 1
select: write, 1 readable
pselect: write, 1
epoll_wait: write, 1 data 77
epoll_pwait2: write, 1
select, time limit: tick 1, 0, left 0.0, set 0
epoll_pwait2, time limit: tick 1, 0
select, closed descriptor: -1
