--TEST--
While one request compresses megabytes, others have their turn; without memory for one more compressor a stream is sent plain
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = '
    if (isset($_GET["stream"])) { for ($i = 0; $i < 3; $i++) { echo "piece"; flush(); } Async\delay(200000); }
    if (isset($_GET["page"])) { echo str_repeat("page ", 1000); return; }
    if (!isset($_GET["large"])) { fwrite(STDOUT, "another\n"); echo "another"; return; }
    fwrite(STDOUT, "begins\n");
    echo str_repeat("All work and no play makes Jack a dull boy. ", 400000);
    fwrite(STDOUT, "ends\n");
';
$server = new Server($handler, ['write_buffer' => 65536]);
$large = $server->connect()->send("GET /?large HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n");
$large->waitFor($server, "begins\n");
$other = $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
echo $other->response()->line(), "\n", $server->line(), $server->line();
echo $large->response()->complete ? "complete\n" : "cut\n", $server->stop();

// 64 KB are less than one compressor has, so there is one at a time; a page needs its own only for a moment
$server = new Server($handler, ['request_timeout_ms' => 0], ['weft.http_codec_memory=65536', 'weft.http_compress=gzip']);
$streams = [];
for ($i = 0; $i < 2; $i++) {
    $stream = $streams[] = $server->connect()->send("GET /?stream HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
    $stream->head();
    echo bin2hex(substr($stream->chunk(), 0, 2)), "\n";
}
$response = $server->connect()->send("GET /?page HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")->response();
echo $response->headers['content-encoding'], "\n";
foreach ($streams as $stream) {
    $stream->close();
}
$server->signal(9);
--EXPECT--
begins
200 another
another
ends
complete
exit status 0
1f8b
7069
gzip
