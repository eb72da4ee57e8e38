--TEST--
SIGTERM: what runs is finished and says so; new connections are refused; idle ones are closed
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('Async\delay(150); echo "finished";', ['drain_ms' => 0]);
$idle = $server->connect();
echo $idle->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response()->line(), "\n";
$running = $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
usleep(50000);
$server->signal(15);
var_dump($idle->closed());
$response = $running->response();
echo $response->line(), ', ', $response->headers['connection'], "\n";
var_dump($running->closed());
echo $server->stop();
--EXPECT--
200 finished
bool(true)
200 finished, close
bool(true)
exit status 0
