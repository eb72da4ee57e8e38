--TEST--
Bytes that the server does not read, from a client that has ended its stream, destroy no answer that is on its way
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    if ($_SERVER["REQUEST_URI"] === "/cut") {
        header("Content-Length: 900000");
    }
    usleep(100_000); // the reactor sees the end of the stream
    echo str_repeat("x", 300000);
    flush();
    echo str_repeat("x", 300000);
', ['write_buffer' => 10_000_000]);
foreach (['/refused' => 'NO REQUEST', '/cut' => 'unread'] as $path => $behind) {
    $client = $server->connect();
    stream_set_blocking($client->socket, false);
    $client->send("GET $path HTTP/1.1\r\nHost: a\r\n\r\n$behind\r\n\r\n" . str_repeat('x', 150_000));
    stream_socket_shutdown($client->socket, STREAM_SHUT_WR);
    stream_set_blocking($client->socket, true);
    usleep(300_000); // most of the answer waits in the server's socket when the server is done with it
    $response = $client->response();
    echo $path, ' ', strlen($response->body), $response->complete ? '' : ' cut short', ', then ', $client->response()?->status ?? 'the end', "\n";
}
echo $server->stop();
?>
--EXPECT--
/refused 600000, then 400
/cut 600000 cut short, then the end
exit status 0
