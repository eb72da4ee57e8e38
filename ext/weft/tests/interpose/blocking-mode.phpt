--TEST--
Sockets and pipes in blocking mode: the call waits, the mode is never seen to change
--EXTENSIONS--
weft
ffi
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$c = libc('struct iovec { void *base; size_t len; };
    struct msghdr { void *name; unsigned namelen; struct iovec *iov; size_t iovlen; void *control; size_t controllen; int flags; };
    struct mmsghdr { struct msghdr hdr; unsigned len; };
    int socketpair(int d, int t, int p, int pair[2]); int pipe(int ends[2]);
    long read(int fd, void *b, size_t n); long write(int fd, const void *b, size_t n);
    long readv(int fd, struct iovec *v, int n); long writev(int fd, struct iovec *v, int n);
    long recv(int fd, void *b, size_t n, int flags); long send(int fd, const void *b, size_t n, int flags);
    long recvfrom(int fd, void *b, size_t n, int flags, void *from, void *size);
    long recvmsg(int fd, struct msghdr *m, int flags); long sendmsg(int fd, struct msghdr *m, int flags);
    int recvmmsg(int fd, struct mmsghdr *m, unsigned n, int flags, void *timeout);
    long __read_chk(int fd, void *b, size_t n, size_t room); long __recv_chk(int fd, void *b, size_t n, size_t room, int flags);
    int fcntl(int fd, int cmd, long arg); int close(int fd); int *__errno_location(void);
    int setsockopt(int fd, int level, int option, void *value, unsigned size);');
const STREAM = 1, DGRAM = 2, UNIX = 1, WAITALL = 0x100, DONTWAIT = 0x40, PEEK = 2, GETFL = 3, SETFL = 4, NONBLOCK = 2048;
$pair = function (int $type) use ($c): array {
    $pair = $c->new('int[2]');
    $c->socketpair(UNIX, $type, 0, $pair);
    return [$pair[0], $pair[1]];
};
$pipe = function () use ($c): array {
    $ends = $c->new('int[2]');
    $c->pipe($ends);
    return [$ends[0], $ends[1]];
};
$buffer = $c->new('char[65536]');
$text = fn (int $n): string => $n < 0 ? 'error ' . $c->__errno_location()[0] : FFI::string($buffer, $n);
$parts = $c->new('struct iovec[2]');
$parts[0]->base = FFI::addr($buffer[0]);
$parts[0]->len = 2;
$parts[1]->base = FFI::addr($buffer[2]);
$parts[1]->len = 100;
$message = $c->new('struct msghdr');
$message->iov = FFI::addr($parts[0]);
$message->iovlen = 2;

/** $receive waits; a sibling looks at the mode, then sends the pieces one by one. */
$try = function (string $name, int $from, int $to, callable $receive, string ...$pieces) use ($c) {
    $log = [];
    $sender = Async\spawn(function () use ($c, $from, $to, $pieces, &$log) {
        foreach ($pieces as $piece) {
            Async\delay(10);
            $log[] = 'sends' . ($c->fcntl($from, GETFL, 0) & NONBLOCK ? ' (NONBLOCK!)' : '');
            $c->write($to, $piece, strlen($piece));
        }
    });
    $log[] = 'got ' . $receive($from);
    Async\await($sender);
    echo "$name: ", implode(', ', $log), "\n";
};

foreach (['stream' => $pair(STREAM), 'datagram' => $pair(DGRAM), 'pipe' => $pipe()] as $kind => [$from, $to]) {
    $try("read, $kind", $from, $to, fn ($fd) => $text($c->read($fd, $buffer, 100)), 'hello');
    $try("__read_chk, $kind", $from, $to, fn ($fd) => $text($c->__read_chk($fd, $buffer, 100, 65536)), 'hello');
    $try("readv, $kind", $from, $to, fn ($fd) => $text($c->readv($fd, FFI::addr($parts[0]), 2)), 'hello');
    if ($kind === 'pipe') {
        continue;
    }
    $try("recv, $kind", $from, $to, fn ($fd) => $text($c->recv($fd, $buffer, 100, 0)), 'hello');
    $try("__recv_chk, $kind", $from, $to, fn ($fd) => $text($c->__recv_chk($fd, $buffer, 100, 65536, 0)), 'hello');
    $try("recvfrom, $kind", $from, $to, fn ($fd) => $text($c->recvfrom($fd, $buffer, 100, 0, null, null)), 'hello');
    $try("recvmsg, $kind", $from, $to, fn ($fd) => $text($c->recvmsg($fd, FFI::addr($message), 0)), 'hello');
    $try("peek then read, $kind", $from, $to, fn ($fd) => $text($c->recv($fd, $buffer, 3, PEEK)) . ' '
        . $text($c->recv($fd, $buffer, 100, 0)), 'hello');
}
[$from, $to] = $pair(STREAM);
$try('recv, all of it', $from, $to, fn ($fd) => $text($c->recv($fd, $buffer, 9, WAITALL)), 'one', 'two', 'six');
$try('recvmsg, all of it', $from, $to, function ($fd) use ($c, $parts, $message, $text) {
    $parts[1]->len = 7;
    $n = $c->recvmsg($fd, FFI::addr($message), WAITALL);
    $parts[1]->len = 100;
    return $text($n);
}, 'one', 'two', 'six');
[$from, $to] = $pair(DGRAM);
$try('recvmmsg', $from, $to, function ($fd) use ($c, $parts, $buffer) {
    $many = $c->new('struct mmsghdr[2]');
    $iov = $c->new('struct iovec[2]');
    for ($i = 0; $i < 2; $i++) {
        $iov[$i]->base = FFI::addr($buffer[100 * $i]);
        $iov[$i]->len = 100;
        $many[$i]->hdr->iov = FFI::addr($iov[$i]);
        $many[$i]->hdr->iovlen = 1;
    }
    $n = $c->recvmmsg($fd, FFI::addr($many[0]), 2, 0, null);
    return "$n: {$many[0]->len} {$many[1]->len}";
}, 'first', 'second one');
$now = fn (int $fd, int $flags) => $text($c->recv($fd, $buffer, 100, $flags));
echo 'MSG_DONTWAIT: ', $now($from, DONTWAIT), "\n";
$c->fcntl($from, SETFL, NONBLOCK);
echo 'non-blocking mode: ', $now($from, 0), "\n";
$c->fcntl($from, SETFL, 0);
$limit = $c->new('long[2]');
$limit[1] = 20_000;
$c->setsockopt($from, 1, 20, $limit, 16);
$log = [];
$tick = witness($log, 1);
$log[] = $now($from, 0);
echo 'SO_RCVTIMEO: ', implode(', ', $log), "\n";
$limit[1] = 0;
$c->setsockopt($from, 1, 20, $limit, 16);
$try('back to waiting', $from, $to, fn ($fd) => $now($fd, 0), 'hello');

// what is written goes whole, however little room there is
foreach (['stream' => $pair(STREAM), 'pipe' => $pipe()] as $kind => [$from, $to]) {
    $size = 3_000_000;
    $data = $c->new("char[$size]");
    $log = [];
    $reader = Async\spawn(function () use ($c, $from, $size, $buffer, &$log) {
        Async\delay(10);
        $log[] = 'reader begins';
        for ($total = 0; $total < $size; $total += $n) {
            $n = $c->read($from, $buffer, 65536);
        }
        $log[] = "read $total";
    });
    $n = $c->write($to, $data, $size);
    array_splice($log, 1, 0, ["wrote $n"]);
    Async\await($reader);
    echo "write, $kind: ", implode(', ', $log), "\n";
}

// closed by a sibling
[$from, $to] = $pair(STREAM);
$closer = Async\spawn(function () use ($c, $from) { Async\delay(10); $c->close($from); });
echo 'closed meanwhile: ', $now($from, 0), "\n";
// the other end closes
[$from, $to] = $pair(STREAM);
$closer = Async\spawn(function () use ($c, $to) { Async\delay(10); $c->close($to); });
echo 'end of stream: "', $now($from, 0), "\"\n";
?>
--EXPECT--
read, stream: sends, got hello
__read_chk, stream: sends, got hello
readv, stream: sends, got hello
recv, stream: sends, got hello
__recv_chk, stream: sends, got hello
recvfrom, stream: sends, got hello
recvmsg, stream: sends, got hello
peek then read, stream: sends, got hel hello
read, datagram: sends, got hello
__read_chk, datagram: sends, got hello
readv, datagram: sends, got hello
recv, datagram: sends, got hello
__recv_chk, datagram: sends, got hello
recvfrom, datagram: sends, got hello
recvmsg, datagram: sends, got hello
peek then read, datagram: sends, got hel hello
read, pipe: sends, got hello
__read_chk, pipe: sends, got hello
readv, pipe: sends, got hello
recv, all of it: sends, sends, sends, got onetwosix
recvmsg, all of it: sends, sends, sends, got onetwosix
recvmmsg: sends, sends, got 2: 5 10
MSG_DONTWAIT: error 11
non-blocking mode: error 11
SO_RCVTIMEO: tick 1, error 11
back to waiting: sends, got hello
write, stream: reader begins, wrote 3000000, read 3000000
write, pipe: reader begins, wrote 3000000, read 3000000
closed meanwhile: error 9
end of stream: ""
