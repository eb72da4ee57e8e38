--TEST--
HTTP/2: an answer that has filled its client's window and ends, or is cut, does not stay for ever
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$server = new Server('
    if (isset($_GET["cut"])) { header("Content-Length: 10"); }
    echo "hello";
    flush();
    Async\delay(20); // all of it has left before the end is known
', ['write_timeout_ms' => 200]);
foreach (['cut' => '/?cut', 'whole' => '/'] as $what => $path) {
    $client = new H2Client($server, [4 => 5]);
    echo "$what: ", implode(', ', $client->send(H2::get(1, $path))->until('1: RST_STREAM INTERNAL_ERROR', '1: RST_STREAM CANCEL')), "\n";
}
echo 'a window that opens: ', implode(', ', (new H2Client($server, [4 => 5]))->send(H2::get(1), H2::window(1, 1))->until('1: "" (end)')), "\n";
echo $server->stop();
--EXPECT--
cut: 1: 200, 1: "hello", 1: RST_STREAM INTERNAL_ERROR
whole: 1: 200, 1: "hello", 1: RST_STREAM CANCEL
a window that opens: 1: 200, 1: "hello", 1: "" (end)
exit status 0
