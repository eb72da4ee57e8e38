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
    fwrite(STDOUT, $socket->protocol === $asked ? "the same\n" : "another\n");
    var_dump($messages->current());
    PHP);
foreach ([10, 230, 1000, 4000] as $length) {
    $client = $server->connect();
    $client->send("GET / HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        . "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: " . str_repeat('a', $length) . "\r\n\r\n");
    $head = '';
    while (!str_contains($head, "\r\n\r\n")) {
        $head .= fgets($client->socket);
    }
    preg_match('/^Sec-WebSocket-Protocol: (a+)\r\n/m', $head, $match);
    echo strlen($match[1] ?? ''), ' ', preg_match('/[^\r\n\x20-\x7e]/', $head) ? 'and something else' : 'and nothing else', "\n";
    fwrite($client->socket, Ws::close(1000));
    echo $server->line();
}
echo $server->stop();
?>
--EXPECT--
10 and nothing else
the same
230 and nothing else
the same
1000 and nothing else
the same
4000 and nothing else
the same
exit status 0
