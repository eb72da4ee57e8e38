--TEST--
Blocking calls of two requests interleave in the test server, though nothing has called Async before
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    fwrite(STDERR, "{$_GET["n"]} begins\n");
    usleep(300000);
    fwrite(STDERR, "{$_GET["n"]} ends\n");
');
$a = $server->connect()->send("GET /?n=a HTTP/1.1\r\nHost: a\r\n\r\n");
usleep(50000);
$b = $server->connect()->send("GET /?n=b HTTP/1.1\r\nHost: a\r\n\r\n");
echo $a->response()->line(), $b->response()->line(), "\n";
echo $server->stop();
?>
--EXPECT--
200 200 
exit status 0
a begins
b begins
a ends
b ends
