--TEST--
A slow reader suspends the request that writes to it, and nobody else; memory does not grow
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    if ($_GET["do"] === "big") {
        $piece = str_repeat("x", 50000);
        for ($i = 0; $i < 600; $i++) { echo $piece; }
        fwrite(STDOUT, "big written, below 20 MB: " . (memory_get_peak_usage() < 20 << 20 ? "yes" : "no") . "\n");
    } else {
        fwrite(STDOUT, "small written\n");
        echo "small";
    }
');
$big = $server->connect()->send("GET /?do=big HTTP/1.1\r\nHost: a\r\n\r\n");
usleep(200000); // the socket's buffers are full by now
echo $server->get('/?do=small'), "\n";
$response = $big->response();
echo $response->framing(), ' ', strlen($response->body), ' ', strspn($response->body, 'x'), "\n";
echo $server->stop();
--EXPECT--
200 small
chunked 30000000 30000000
exit status 0
small written
big written, below 20 MB: yes
