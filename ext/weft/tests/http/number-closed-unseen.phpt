--TEST--
A connection whose number was closed behind the reactor's back is heard all the same
--EXTENSIONS--
weft
ffi
--INI--
weft.proven_modules=FFI
ffi.enable=1
--FILE--
<?php
require __DIR__ . '/server.inc';
// syscall() is not replaced: so might another thread, or libc itself, close a number
$handler = <<<'PHP'
    if ($_SERVER['REQUEST_URI'] !== '/close') {
        echo 'heard';
        return;
    }
    $close = php_uname('m') === 'x86_64' ? 3 : 57;
    $c = FFI::cdef('long syscall(long number, ...); int pipe(int ends[2]); int poll(void *fds, unsigned long n, int timeout);
        struct one { int fd; short events; short revents; };', 'libc.so.6');
    $all = [];
    for ($i = 0; $i < 8; $i++) {
        $all[] = $ends = $c->new('int[2]');
        $c->pipe($ends);
        $one = $c->new('struct one');
        $one->fd = $ends[0];
        $one->events = 1;
        $c->poll(FFI::addr($one), 1, 5); // makes the reactor register it
    }
    foreach ($all as $ends) {
        $c->syscall($close, $ends[0]);
        $c->syscall($close, $ends[1]);
    }
    echo 'closed';
    PHP;
$server = new Server($handler);
echo $server->get('/close'), "\n";
$clients = [];
for ($i = 0; $i < 8; $i++) {
    $clients[] = $client = $server->connect();
    $client->send("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
}
foreach ($clients as $client) {
    echo $client->response()->line(), "\n";
}
echo $server->stop();
?>
--EXPECT--
200 closed
200 heard
200 heard
200 heard
200 heard
200 heard
200 heard
200 heard
200 heard
exit status 0
