--TEST--
Bytes that the server does not read, from a client that has ended its stream, destroy no answer that is on its way
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    if ($_SERVER["REQUEST_URI"] === "/busy") {
        echo hash_pbkdf2("sha512", "a", "b", 15_000); // in C, where nobody takes its turn
        return;
    }
    if ($_SERVER["REQUEST_URI"] === "/cut") {
        header("Content-Length: 900000");
    }
    usleep(100_000); // the reactor sees the end of the stream
    $half = str_repeat("x", $_SERVER["REQUEST_URI"] === "/late" ? 100000 : 300000);
    echo $half;
    flush();
    echo $half;
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

/* the bytes come with the end of the stream, after the server has told the client to go away */
$client = $server->connect();
$client->send("GET /late HTTP/1.1\r\nHost: a\r\n\r\nNO REQUEST\r\n\r\n");
usleep(300_000);
$busy = $server->connect()->send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n");
usleep(20_000);
$client->send('unread');
stream_socket_shutdown($client->socket, STREAM_SHUT_WR);
echo strlen($busy->response()->body), "\n";
usleep(100_000);
$response = $client->response();
echo '/late ', strlen($response->body), $response->complete ? '' : ' cut short', ', then ', $client->response()?->status ?? 'the end', "\n";
echo $server->stop();
?>
--EXPECT--
/refused 600000, then 400
/cut 600000 cut short, then the end
128
/late 200000, then 400
exit status 0
