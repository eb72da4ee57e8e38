--TEST--
An accepted WebSocket echoes what comes, in frames of any length, whole or in parts, and closes as its client wants
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    foreach ($socket as $kind => $message) {
        $socket->send($message, $kind === 'binary');
    }
    fwrite(STDOUT, 'over ' . $socket->closeCode() . "\n");
    PHP);

$client = new WsClient($server);
echo $client->response->statusLine, "\n";
foreach (['upgrade', 'connection', 'sec-websocket-accept'] as $name) {
    echo $name, ': ', $client->response->headers[$name], "\n";
}
echo isset($client->response->headers['date'], $client->response->headers['server']) ? "dated, signed\n" : "not ours\n";
echo array_key_exists('content-type', $client->response->headers) ? "has a type\n" : "has no type\n";

echo $client->send(Ws::text('hello'))->next(), "\n";
echo $client->send(Ws::frame(Ws::BINARY, "\0\xff"))->frame()[2] === "\0\xff" ? "binary\n" : "not the same\n";
foreach ([0, 1, 125, 126, 127, 65535, 65536, 1000000] as $length) {
    $text = str_repeat('x', $length);
    $frame = $client->send(Ws::text($text))->frame();
    echo $length, $frame === [8, Ws::TEXT, $text] ? " the same\n" : " not the same\n";
}

echo "in parts, with a ping between\n";
$client->send(Ws::frame(Ws::TEXT, "\xc3", 0), Ws::frame(Ws::PING, 'there?'), Ws::frame(Ws::CONTINUATION, "\xa9t", 0),
    Ws::frame(Ws::CONTINUATION, "\xc3\xa9"));
echo $client->next(), "\n", $client->next(), "\n";

echo "a byte at a time\n";
foreach (str_split(Ws::text('drip') . Ws::frame(Ws::PING)) as $byte) {
    $client->send($byte);
    usleep(500);
}
$both = [$client->next(), $client->next()];
sort($both);
echo implode(', ', $both), "\n";

echo "many at once\n";
$client->send(str_repeat(Ws::text('a'), 50));
for ($same = 0, $i = 0; $i < 50; $i++) {
    $same += $client->next() === 'text "a"';
}
echo "$same\n";

echo $client->send(Ws::close(3001, 'bye'))->all(), "\n", $server->line();

echo "sent behind the request\n";
$client = new WsClient($server, '/', [], Ws::text('early') . Ws::close(null));
echo $client->all(), "\n", $server->line();

echo "gone without a close\n";
$client = new WsClient($server);
$client->client->close();
echo $server->line();
echo $server->stop();
?>
--EXPECT--
HTTP/1.1 101 Switching Protocols
upgrade: websocket
connection: Upgrade
sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=
dated, signed
has no type
text "hello"
binary
0 the same
1 the same
125 the same
126 the same
127 the same
65535 the same
65536 the same
1000000 the same
in parts, with a ping between
pong "there?"
text "\u00e9t\u00e9"
a byte at a time
pong, text "drip"
many at once
50
close 3001, closed
over 3001
sent behind the request
text "early", close, closed
over 1005
gone without a close
over 1006
exit status 0
