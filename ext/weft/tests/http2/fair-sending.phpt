--TEST--
weft.http_share: who can take much at once is sent that much, over HTTP/1.1 and HTTP/2, and then others have their turn
--EXTENSIONS--
weft
ffi
sockets
--INI--
ffi.enable=1
--FILE--
<?php
require __DIR__ . '/frames.inc';

$file = tempnam(sys_get_temp_dir(), 'weft-test-');
ftruncate(fopen($file, 'r+'), 16 << 20);
$handler = <<<'PHP'
    if (isset($_GET['file'])) {
        Weft\Http\send_file($_GET['file']);
    } else {
        echo 'hello';
        fwrite(STDOUT, "stops\n");
        FFI::cdef('int raise(int number);')->raise(SIGSTOP);
    }
    PHP;

/** How much of a download the kernel has when the server comes to another client, whose request stops it. */
$before = static function (int $share, string $request) use ($handler): int {
    $server = new Server($handler, ['share' => $share]);
    $reader = socket_create(AF_INET, SOCK_STREAM, 0);
    socket_set_option($reader, SOL_SOCKET, SO_RCVBUF, 1 << 20);
    $server->signal(SIGSTOP);
    socket_connect($reader, '127.0.0.1', $server->port);
    socket_write($reader, $request);
    $hello = $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    $server->signal(SIGCONT);
    $server->line();
    $taken = 0;
    do {
        usleep(20_000);
        $got = (int) @socket_recv($reader, $ignored, 1 << 20, MSG_DONTWAIT);
        $taken += $got;
    } while ($got > 0);
    socket_close($reader);
    $server->signal(SIGCONT);
    if ($hello->response()?->line() !== '200 hello') {
        echo "no answer\n";
    }
    $server->stop();

    return $taken;
};
$requests = [
    'HTTP/1.1' => "GET /?file=$file HTTP/1.1\r\nHost: a\r\n\r\n",
    'HTTP/2' => H2::PREFACE . H2::settings([4 => 0x7fffffff]) . H2::window(0, 0x7fff0000) . H2::get(1, "/?file=$file"),
];
foreach ($requests as $protocol => $request) {
    $share = $before(16384, $request);
    $all = $before(1 << 30, $request);
    echo "$protocol: ", $share < 100_000 && $all > 200_000 ? 'a share' : "$share of $all bytes", "\n";
}
unlink($file);
--EXPECT--
HTTP/1.1: a share
HTTP/2: a share
