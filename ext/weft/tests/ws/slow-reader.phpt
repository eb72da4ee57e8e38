--TEST--
For who does not read, trySend() says that there is no room, send() waits, and nothing is lost or out of order
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    $piece = str_repeat('x', 100000);
    $sent = 0;
    while ($socket->trySend(sprintf('%06d', $sent) . $piece)) {
        $sent++;
    }
    fwrite(STDOUT, "no room\n");
    $waits = Async\spawn(function () use ($socket, $piece, $sent) {
        $socket->send(sprintf('%06d', $sent) . $piece);
        fwrite(STDOUT, "sent\n");
    });
    Async\delay(20);
    fwrite(STDOUT, "waits\n");
    Async\await($waits);
    $socket->send('end');
    fwrite(STDOUT, $socket->receive() . ' ' . ($sent + 1) . "\n");
    PHP, [], ['weft.ws_buffer=200000']);

$client = new WsClient($server);
echo $server->line(), $server->line();
for ($count = 0; ($content = $client->frame()[2]) !== 'end'; $count++) {
    if (strlen($content) !== 100006 || (int) substr($content, 0, 6) !== $count) {
        echo "wrong: $count\n";
    }
}
echo $server->line();
$client->send(Ws::text('done'));
echo $server->line() === "done $count\n" ? "all came\n" : "some are missing: $count came\n";
echo $client->all(), "\n";
echo $server->stop();
?>
--EXPECT--
no room
waits
sent
all came
close 1000, closed
exit status 0
