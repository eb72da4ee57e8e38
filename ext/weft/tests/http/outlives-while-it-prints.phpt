--TEST--
A coroutine waits for a client that reads nothing when its request ends: it prints nowhere from then on, and others do
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server(<<<'PHP'
    if ($_SERVER['REQUEST_URI'] === '/') {
        echo 'others';
        return;
    }
    Async\spawn(function () {
        try {
            echo str_repeat('x', 20_000_000);
        } finally {
            fwrite(STDOUT, "it goes on\n");
            echo 'y';
        }
    });
    Async\delay(20);
    fwrite(STDOUT, "the request ends\n");
    PHP, ['linger_ms' => 100, 'write_buffer' => 65536, 'spool' => 0]);
$silent = $server->connect()->send("GET /long HTTP/1.1\r\nHost: test\r\n\r\n");
echo $server->line();
echo $server->line();
echo $server->get('/'), "\n";
$silent->close();
echo $server->stop();
?>
--EXPECT--
the request ends
it goes on
200 others
exit status 0
weft: GET /long: 1 coroutine still ran 100 ms after its end and will be cancelled (weft.http_linger_ms)
