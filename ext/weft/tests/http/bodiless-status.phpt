--TEST--
204 and 304 have no body, whatever the application prints
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('http_response_code((int) $_GET["status"]); echo "body";');
$client = $server->connect();
foreach ([204, 304, 200] as $status) {
    $response = $client->send("GET /?status=$status HTTP/1.1\r\nHost: test\r\n\r\n")->response();
    echo $response->line(), ' (', $response->framing(), ")\n";
}
echo $server->stop();
--EXPECT--
204  (until close)
304  (until close)
200 body (length 4)
exit status 0
