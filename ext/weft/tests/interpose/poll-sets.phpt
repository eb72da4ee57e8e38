--TEST--
poll() on many descriptors: duplicates, negative, closed and always ready ones, time limits, and who wakes whom
--EXTENSIONS--
weft
ffi
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$c = libc('struct pollfd { int fd; short events; short revents; };
    int poll(struct pollfd *fds, unsigned long n, int timeout);
    int pipe(int ends[2]); long write(int fd, const void *b, size_t n); int close(int fd); int open(const char *p, int f);');
const IN = 1, OUT = 4, NVAL = 32, HUP = 16;
$pipe = function () use ($c): array {
    $ends = $c->new('int[2]');
    $c->pipe($ends);
    return [$ends[0], $ends[1]];
};
$poll = function (array $set, int $timeout) use ($c): string {
    $fds = $c->new('struct pollfd[' . max(1, count($set)) . ']');
    foreach ($set as $i => [$fd, $events]) {
        $fds[$i]->fd = $fd;
        $fds[$i]->events = $events;
    }
    $n = $c->poll($fds, count($set), $timeout);
    $seen = [];
    foreach (array_keys($set) as $i) {
        $seen[] = $fds[$i]->revents;
    }
    return "$n: " . implode(' ', $seen);
};
[$r1, $w1] = $pipe();
[$r2, $w2] = $pipe();
$file = $c->open('/etc/hostname', 0);

echo "closed at the start ", $poll([[$r1, IN], [9999, IN]], -1), "\n";
echo "regular file ", $poll([[$r1, IN], [$file, IN]], -1), "\n";
echo "nothing but time ", $poll([], 5), "\n";
echo "negative only ", $poll([[-1, IN]], 5), "\n";

$log = [];
$tick = witness($log, 1);
$writer = Async\spawn(function () use ($c, $w2, &$log) {
    Async\delay(30);
    $log[] = 'write';
    $c->write($w2, 'x', 1);
});
$log[] = 'duplicates ' . $poll([[$r1, IN], [$r2, IN], [-1, IN], [$r2, IN], [$w1, 0]], -1);
echo implode(', ', $log), "\n";

$log = [];
$tick = witness($log, 2);
$log[] = 'time limit ' . $poll([[$r1, IN], [$r1, IN]], 50);
echo implode(', ', $log), "\n";

// more than the waits keep on their stack
$many = [];
for ($i = 0; $i < 200; $i++) {
    $many[] = [$r1, IN];
}
$many[] = [$w1, OUT];
$last = explode(' ', $poll($many, -1));
echo "many ", $last[0], ' ', end($last), "\n";

// closed while somebody waits
$log = [];
$waiter = Async\spawn(function () use ($poll, $r1, &$log) { $log[] = 'closed meanwhile ' . $poll([[$r1, IN]], -1); });
Async\delay(10);
$log[] = 'close';
$c->close($r1);
[$again] = $pipe();
$log[] = $again === $r1 ? 'number reused' : 'number not reused';
Async\await($waiter);
echo implode(', ', $log), "\n";

// the other end goes away
$log = [];
$waiter = Async\spawn(function () use ($poll, $again, &$log) { $log[] = 'hang-up ' . $poll([[$again, IN]], -1); });
Async\delay(10);
$log[] = 'close';
$c->close($again + 1);
for ($fd = 3; $fd < 30; $fd++) {
    if (@readlink("/proc/self/fd/$fd") === @readlink("/proc/self/fd/$again") && $fd !== $again) {
        $c->close($fd);
    }
}
Async\await($waiter);
echo implode(', ', $log), "\n";
?>
--EXPECT--
closed at the start 1: 0 32
regular file 1: 0 1
nothing but time 0: 
negative only 0: 0
tick 1, write, duplicates 2: 0 1 0 1 0
tick 1, tick 2, time limit 0: 0 0
many 1: 4
close, number reused, closed meanwhile 1: 32
close, hang-up 1: 16
