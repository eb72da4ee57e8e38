--TEST--
A dup2() that fails leaves its target open, and those who wait for it go on waiting
--EXTENSIONS--
weft
ffi
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$c = libc('int socketpair(int d, int t, int p, int pair[2]); int dup2(int fd, int target);
    int dup3(int fd, int target, int flags); long read(int fd, void *b, size_t n); long write(int fd, const void *b, size_t n);
    int *__errno_location(void);');
$pair = $c->new('int[2]');
$c->socketpair(1, 1, 0, $pair);
$buffer = $c->new('char[16]');
$meddler = Async\spawn(function () use ($c, $pair) {
    Async\delay(5);
    echo 'dup2: ', $c->dup2(99999, $pair[0]), "\n";
    Async\delay(5);
    echo 'dup3: ', $c->dup3($pair[1], $pair[0], 1), "\n";
    Async\delay(5);
    $c->write($pair[1], 'hello', 5);
});
$n = $c->read($pair[0], $buffer, 16);
echo $n < 0 ? 'error ' . $c->__errno_location()[0] : FFI::string($buffer, $n), "\n";
?>
--EXPECT--
dup2: -1
dup3: -1
hello
