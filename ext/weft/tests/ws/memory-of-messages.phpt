--TEST--
Messages count as what clients have sent: beyond weft.http_input_memory a socket is closed with 1013. And ping() asks a client
--EXTENSIONS--
weft
zlib
--FILE--
<?php
require __DIR__ . '/deflate.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    $socket->ping('hello');
    foreach ($socket as $message) {
        $socket->send(strlen($message));
    }
    PHP, [], ['weft.http_input_memory=64K']);

function open(): WsClient
{
    global $server;
    $client = new WsClient($server, '/', ['Sec-WebSocket-Extensions' => 'permessage-deflate']);
    echo $client->next(), ', ';

    return $client;
}

$other = open();
foreach ([Ws::text(str_repeat('x', 20_000)) . Ws::close(), Ws::text(str_repeat('x', 100_000)), compressed(str_repeat('x', 100_000))] as $frames) {
    echo open()->send($frames)->all(), "\n";
}
echo 'another one: ', $other->send(Ws::text('x'))->next(), "\n";
$other->client->close();
echo $server->stop();
?>
--EXPECT--
ping "hello", ping "hello", text "20000", close 1000, closed
ping "hello", close 1013, closed
ping "hello", close 1013, closed
another one: text "1"
exit status 0
