--TEST--
However many connections are open, an application's streams get numbers that select() can take
--EXTENSIONS--
weft
posix
--SKIPIF--
<?php
if ((int) posix_getrlimit()['soft openfiles'] < 3000) {
    die('skip needs ulimit -n 3000');
}
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    [$one, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    fwrite($other, "x");
    $read = [$one];
    echo @stream_select($read, $none, $none, 5) === 1 ? "selected" : error_get_last()["message"];
');
$idle = [];
for ($i = 0; $i < 1200; $i++) {
    $idle[] = $server->connect()->socket;
}
echo $server->get('/'), "\n";
$idle = [];
echo $server->stop();
--EXPECT--
200 selected
exit status 0
