--TEST--
close() wakes the coroutine that waits for a message of the socket, and the one that waits for room, whatever the client does
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    Async\spawn(function () use ($socket) {
        Async\delay(20);
        $socket->close(4002);
    });
    try {
        while ($_SERVER['REQUEST_URI'] === '/sends') {
            $socket->send(str_repeat('x', 100000));
        }
        var_dump($socket->receive());
        fwrite(STDOUT, "no message came\n");
    } catch (Weft\Http\WebSocketClosed $e) {
        fwrite(STDOUT, $e->getMessage() . "\n");
    }
    PHP, [], ['weft.ws_close=86400000', 'weft.ws_buffer=200000']);

foreach (['/receives', '/sends'] as $path) {
    $client = new WsClient($server, $path); // it reads nothing, and does not answer the close
    echo $server->line();
    $client->client->close();
}
echo $server->stop();
?>
--EXPECT--
no message came
The WebSocket is closed
exit status 0
