--TEST--
204, 205 and 304 have no content, whatever the application prints, declares or flushes
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    http_response_code((int) $_GET["status"]);
    if (isset($_GET["length"])) {
        header("Content-Length: 4");
    }
    echo "body";
    if (isset($_GET["flush"])) {
        flush();
        echo "body";
    }', ini: ['output_buffering=0']);
$client = $server->connect();
foreach ([204, 205, 304, 200] as $status) {
    foreach (['', '&length', '&flush', '&flush&length'] as $how) {
        $response = $client->send("GET /?status=$status$how HTTP/1.1\r\nHost: test\r\n\r\n")->response();
        echo $response->line(), ' (', $response->framing(), ")\n";
    }
}
echo $server->stop();
--EXPECT--
204  (until close)
204  (until close)
204  (until close)
204  (until close)
205  (length 0)
205  (length 0)
205  (length 0)
205  (length 0)
304  (until close)
304  (length 4)
304  (until close)
304  (length 4)
200 body (length 4)
200 body (length 4)
200 bodybody (chunked)
200 body (length 4)
exit status 0
