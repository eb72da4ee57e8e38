--TEST--
A subprotocol may be as long as a token is: applications take one that way from browsers
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $asked = $_SERVER['HTTP_SEC_WEBSOCKET_PROTOCOL'];
    $socket = Weft\Http\WebSocket::accept(protocols: [$asked]);
    $messages = $socket->getIterator();
    $socket->close();
    foreach ($messages as $message) {
    }
    fwrite(STDOUT, ($socket->protocol === $asked ? 'the same' : 'another') . ', then ' . json_encode($messages->current()) . "\n");
    PHP);
foreach ([10, 230, 1000, 4000] as $length) {
    $client = new WsClient($server, '/', ['Sec-WebSocket-Protocol' => str_repeat('a', $length)]);
    $head = $client->response->headers;
    preg_match('/^a+$/D', $head['sec-websocket-protocol'], $match);
    $all = implode([...array_keys($head), ...array_values($head)]);
    echo strlen($match[0] ?? ''), ' ', preg_match('/[^\x20-\x7e]/', $all) ? 'and something else' : 'and nothing else', "\n";
    $client->send(Ws::close(1000));
    echo $server->line();
}
echo $server->stop();
?>
--EXPECT--
10 and nothing else
the same, then null
230 and nothing else
the same, then null
1000 and nothing else
the same, then null
4000 and nothing else
the same, then null
exit status 0
