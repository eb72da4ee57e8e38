--TEST--
flush() sends what has left the output buffers, as with PHP-FPM: without any, or with a buffer above it, not even the head
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    header("X-First: 1");
    switch ($_GET["do"]) {
        case "nothing": flush(); break;
        case "a view": ob_start(); ob_start(); echo "a"; ob_flush(); flush(); break;
        case "all buffers": ob_start(); echo "a"; while (ob_get_level()) { ob_end_flush(); } flush(); break;
    }
    $sent = headers_sent() ? "sent" : "not sent";
    @header("X-Second: 1");
    echo $sent;
', ini: ['expose_php=0']);
foreach (['nothing', 'a view', 'all buffers'] as $do) {
    $response = $server->connect()->send('GET /?do=' . rawurlencode($do) . " HTTP/1.1\r\nHost: a\r\n\r\n")->response();
    echo "$do: $response->body, ", implode(' ', preg_grep('/^x-/', array_keys($response->headers))), "\n";
}
echo $server->stop();
--EXPECT--
nothing: not sent, x-first x-second
a view: anot sent, x-first x-second
all buffers: asent, x-first
exit status 0
