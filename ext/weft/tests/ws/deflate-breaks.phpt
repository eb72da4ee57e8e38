--TEST--
permessage-deflate: what is no compressed message, bursts weft.ws_max_message or is no text closes the socket, with the code for it
--EXTENSIONS--
weft
zlib
--FILE--
<?php
require __DIR__ . '/deflate.inc';

const ECHOES = <<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    foreach ($socket as $kind => $message) {
        $socket->send(strlen($message), $kind === 'binary');
    }
    PHP;

function told(string $frames, bool $agreed = true): string
{
    global $server;
    $client = new WsClient($server, '/', $agreed ? ['Sec-WebSocket-Extensions' => 'permessage-deflate'] : []);

    return $client->send($frames)->all();
}

$server = new Server(ECHOES, [], ['weft.ws_max_message=100000']);
foreach ([
    'as long as it may be' => compressed(str_repeat('b', 100000)) . Ws::close(),
    'as long, and not compressible' => compressed(random_bytes(100000), Ws::BINARY) . Ws::close(),
    'a byte more' => compressed(str_repeat('b', 100001)),
    'a bomb' => compressed(str_repeat('b', 50000000)),
    'announced too long' => Ws::frame(Ws::BINARY, 'x', 12, length: 200000),
    'plain and too long' => Ws::frame(Ws::BINARY, 'x', 8, length: 100001),
    'too long in parts' => Ws::frame(Ws::BINARY, str_repeat('b', 60000), 4) . Ws::frame(Ws::CONTINUATION, 'x', 8, length: 60000),
    'no UTF-8' => compressed("gr\xfcn"),
    'a character without its end' => compressed("gr\xc3"),
    'the same as binary' => compressed("gr\xc3", Ws::BINARY) . Ws::close(),
    'not compressed at all' => Ws::frame(Ws::TEXT, 'hello', 12),
    'a part of it' => Ws::frame(Ws::TEXT, substr(deflated(words(3000)), 0, 200), 12),
    'a back reference to before it' => Ws::frame(Ws::TEXT, "\x4b\x04\x71\x00", 12),
    'RSV1 of a continuation' => Ws::frame(Ws::TEXT, substr(deflated('hello'), 0, 3), 4) . Ws::frame(Ws::CONTINUATION, substr(deflated('hello'), 3), 12),
    'RSV1 of a ping' => Ws::frame(Ws::PING, '', 12),
    'RSV1 of a close' => Ws::frame(Ws::CLOSE, '', 12),
    'RSV2' => Ws::frame(Ws::TEXT, deflated('hello'), 14),
] as $what => $frames) {
    echo "$what: ", told($frames), "\n";
}
echo 'RSV1 without the extension: ', told(compressed('hello'), false), "\n";
echo $server->stop();
?>
--EXPECT--
as long as it may be: text "100000", close 1000, closed
as long, and not compressible: binary "100000", close 1000, closed
a byte more: close 1009, closed
a bomb: close 1009, closed
announced too long: close 1009, closed
plain and too long: close 1009, closed
too long in parts: close 1009, closed
no UTF-8: close 1007, closed
a character without its end: close 1007, closed
the same as binary: binary "3", close 1000, closed
not compressed at all: close 1007, closed
a part of it: close 1007, closed
a back reference to before it: close 1007, closed
RSV1 of a continuation: close 1002, closed
RSV1 of a ping: close 1002, closed
RSV1 of a close: close 1002, closed
RSV2: close 1002, closed
RSV1 without the extension: close 1002, closed
exit status 0
