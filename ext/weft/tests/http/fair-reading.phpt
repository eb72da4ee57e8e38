--TEST--
Who has sent much is read a share at a time: a small request that came later is served before
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    file_put_contents("php://stdout", $_SERVER["REQUEST_URI"] . "\n");
    echo strlen(file_get_contents("php://input"));
', [], ['post_max_size=64M']);
// the kernel takes much of who has sent much
$client = $server->connect()->send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 8912896\r\n\r\n");
$client->send(str_repeat('x', 8 << 20));
usleep(100_000);
$server->signal(SIGSTOP);
$client->send(str_repeat('x', 512 << 10));
$hello = $server->connect()->send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
usleep(50_000);
$server->signal(SIGCONT);
echo $server->line(), $server->line();
echo $client->response()->line(), "\n", $hello->response()->line(), "\n";
echo $server->stop();
--EXPECT--
/hello
/upload
200 8912896
200 0
exit status 0
