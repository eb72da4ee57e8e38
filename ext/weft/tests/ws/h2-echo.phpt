--TEST--
WebSocket over HTTP/2: several sockets on one connection, with pages beside them, echo and close each for itself
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/h2.inc';

$server = new Server(<<<'PHP'
    if ($_SERVER['REQUEST_URI'] === '/page') {
        echo 'a page';
        return;
    }
    header('X-Mine: yes');
    header('Content-Length: 5');
    try {
        $socket = Weft\Http\WebSocket::accept(null, $_SERVER['REQUEST_URI'] === '/chat' ? ['chat'] : []);
        if ($_SERVER['REQUEST_URI'] === '/hello') {
            $socket->send('hello');
            $socket->close(4001, 'enough');
            return;
        }
        foreach ($socket as $kind => $message) {
            $socket->send($message, $kind === 'binary');
        }
        fwrite(STDOUT, 'over ' . $socket->closeCode() . "\n");
    } catch (Weft\Http\WebSocketException $e) {
        fwrite(STDOUT, get_class($e) . ': ' . $e->getMessage() . "\n");
    }
    PHP);

$client = new H2Sockets($server);
$client->open(1);
echo $client->answer(1), "\n";
echo $client->send(1, Ws::text('first'))->next(1), "\n";

echo "two more, one with bytes before its answer\n";
$client->open(3, '/chat', ['sec-websocket-protocol' => 'other, chat'])->open(5, '/', [], H2::data(5, Ws::text('early'), 0));
echo $client->answer(3), ', ', $client->next(5), ', ', $client->send(3, Ws::text('third'))->next(3), "\n";
$client->client->send(H2::get(7, '/page'));
echo $client->answer(7), "\n";
foreach ([1, 3, 5] as $stream) {
    foreach ([0, 125, 126, 65535, 65536, 300000] as $length) {
        $text = str_repeat(chr(96 + $stream), $length);
        foreach (str_split(Ws::frame(Ws::BINARY, $text), 16384) as $part) {
            $client->send($stream, $part);
        }
        $client->client->send(H2::window(0, $length + 100) . H2::window($stream, $length + 100));
    }
}
foreach ([5, 1, 3] as $stream) {
    for ($n = 0; preg_match('/^binary/', $words = $client->next($stream)); $n++) {
        if ($n === 5) {
            break;
        }
    }
    echo "$stream: $words\n";
}

echo "a frame in parts, a byte in a DATA frame\n";
foreach (str_split(Ws::frame(Ws::TEXT, "\xc3", 0) . Ws::frame(Ws::PING, 'there?') . Ws::frame(Ws::CONTINUATION, "\xa9")) as $byte) {
    $client->send(1, $byte);
}
echo $client->next(1), ', ', $client->next(1), "\n";

echo "who closes\n";
echo $client->send(3, Ws::close(3001, 'bye'), true)->all(3), ', ', $server->line();
echo $client->open(9, '/hello')->next(9), ', ', $client->next(9), ', ', $client->send(9, Ws::close(4001), true)->all(9), "\n";
echo $client->send(1, Ws::text('still there'))->next(1), "\n";

echo "who breaks a rule, and its neighbour\n";
echo $client->send(1, Ws::frame(Ws::TEXT, "\xff"))->all(1), ', ', $server->line();
echo $client->send(5, Ws::text('and I'))->next(5), "\n";

echo "who resets, ends without a close, ends before the answer, and goes away with the connection\n";
$client->client->send(H2::reset(5));
echo $server->line();
echo $client->open(11)->answer(11), ', ', $client->send(11, '', true)->all(11), ', ', $server->line();
echo $client->open(13, '/', [], H2::data(13, Ws::text('early')))->all(13), ', ', $server->line();
echo $client->open(15)->answer(15), ', ', $client->open(17)->answer(17), "\n";
fclose($client->client->client->socket);
echo $server->line(), $server->line();

echo "what is no CONNECT, and what asks for too much\n";
$client = new H2Sockets($server);
$client->client->send(H2::get(1));
echo $client->answer(1), ' ', $server->line();
echo $client->open(3, '/', ['sec-websocket-version' => '12'])->answer(3), ' ', $server->line();
echo $client->open(5, '/chat')->answer(5), ' ', $server->line();
echo $client->open(7, '/', ['origin' => 'https://elsewhere.example'])->answer(7), ' ', $server->line();
echo $server->stop();
?>
--EXPECT--
200
text "first"
two more, one with bytes before its answer
200, text "early", text "third"
200
5: binary 300000 bytes
1: binary 300000 bytes
3: binary 300000 bytes
a frame in parts, a byte in a DATA frame
pong "there?", text "\u00e9"
who closes
close 3001, 200 (end), over 3001
text "hello", close 4001 "enough", 200 (end)
text "still there"
who breaks a rule, and its neighbour
close 1007, 200 (end), over 1007
text "and I"
who resets, ends without a close, ends before the answer, and goes away with the connection
over 1006
200, RST_STREAM CANCEL, over 1006
RST_STREAM CANCEL, Weft\Http\WebSocketClosed: The WebSocket is closed
200, 200
over 1006
over 1006
what is no CONNECT, and what asks for too much
426 Weft\Http\UpgradeRequired: Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket. 426 was answered
426 Weft\Http\UpgradeRequired: The WebSocket protocol is served in version 13 only (Sec-WebSocket-Version). 426 was answered
400 Weft\Http\UpgradeRefused: The client asks for no subprotocol that is spoken here (Sec-WebSocket-Protocol). 400 was answered
403 Weft\Http\UpgradeRefused: Pages of this origin may not open WebSockets here: it is not this host, and accept() names no other. 403 was answered
exit status 0
