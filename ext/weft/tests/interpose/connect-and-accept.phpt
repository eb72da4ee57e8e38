--TEST--
connect and accept on sockets in blocking mode: refused, accepted, a full Unix queue; the mode stays
--EXTENSIONS--
weft
sockets
ffi
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$c = libc('int fcntl(int fd, int cmd, long arg);');
$listener = socket_create_listen(0);
socket_getsockname($listener, $host, $port);
$log = [];
$acceptor = Async\spawn(function () use ($listener, &$log) {
    $log[] = 'accept begins';
    $client = socket_accept($listener);
    $log[] = 'accepted';
    $log[] = socket_read($client, 100);
    socket_write($client, 'bye');
});
$connector = Async\spawn(function () use ($port, &$log) {
    $log[] = 'connect begins';
    $socket = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
    var_dump(socket_connect($socket, '127.0.0.1', $port));
    $log[] = 'connected';
    Async\delay(20);
    socket_write($socket, 'hello');
    $log[] = socket_read($socket, 100);
});
Async\await($acceptor);
Async\await($connector);
$first = array_slice($log, 0, 2);
sort($log);
echo implode(', ', $first), '; ', implode(', ', $log), "\n";

$socket = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
var_dump(@socket_connect($socket, '127.0.0.1', 1), socket_strerror(socket_last_error($socket)));

$path = sys_get_temp_dir() . '/weft-' . getmypid() . '.sock';
$local = socket_create(AF_UNIX, SOCK_STREAM, 0);
socket_bind($local, $path);
socket_listen($local, 0);
$log = [];
$acceptor = Async\spawn(function () use ($local, &$log) {
    Async\delay(30);
    $log[] = 'accepts';
    for ($i = 0; $i < 5; $i++) {
        $clients[] = socket_accept($local);
    }
});
for ($i = 0; $i < 5; $i++) {
    $sockets[$i] = socket_create(AF_UNIX, SOCK_STREAM, 0);
    $log[] = socket_connect($sockets[$i], $path) ? 'connected' : 'failed';
}
Async\await($acceptor);
$accepts = array_search('accepts', $log, true);
echo $accepts < 5 ? 'waited for room' : 'did not wait', ', ', array_count_values($log)['connected'], "\n";
unlink($path);

$socket = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
socket_set_option($socket, SOL_SOCKET, SO_RCVTIMEO, ['sec' => 0, 'usec' => 20_000]);
socket_connect($socket, '127.0.0.1', $port);
$log = [];
$tick = witness($log, 1);
$log[] = @socket_read($socket, 100) === false ? socket_strerror(socket_last_error($socket)) : 'data';
echo implode(', ', $log), "\n";
?>
--EXPECT--
bool(true)
accept begins, connect begins; accept begins, accepted, bye, connect begins, connected, hello
bool(false)
string(18) "Connection refused"
waited for room, 5
tick 1, Resource temporarily unavailable
