--TEST--
One line a request; control characters of the path are escaped
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('http_response_code((int) ($_GET["status"] ?? 200));', ['access_log' => 1]);
foreach (['/a?secret=1', '/b\\%1b?status=404', '/c?status=500'] as $path) {
    $server->get($path);
}
$server->connect()->send("GET / HTTP/1.1\r\n\r\n")->response();
echo $server->stop();
--EXPECTF--
exit status 0
%d:%d:%d GET /a 200 %f ms
%d:%d:%d GET /b\x5c%1b 404 %f ms
%d:%d:%d GET /c 500 %f ms
%d:%d:%d - - 400 0.0 ms
