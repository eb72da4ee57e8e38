--TEST--
Texts that came together are all answered, though the answers take more room than weft.ws_buffer leaves
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    $socket->answer('?', str_repeat('!', 1000));
    foreach ($socket as $message) {
        $socket->send("to PHP: $message");
    }
    PHP, [], ['weft.ws_buffer=1024']);

$client = new WsClient($server);
$client->send(str_repeat(Ws::text('?'), 100), Ws::text('last'));
for ($answers = 0; ($frame = $client->next()) === 'text 1000 bytes'; $answers++) {
}
echo "$answers answers, then $frame\n";
$client->client->close();
echo $server->stop();
?>
--EXPECT--
100 answers, then text "to PHP: last"
exit status 0
