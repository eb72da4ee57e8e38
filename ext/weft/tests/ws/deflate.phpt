--TEST--
permessage-deflate: messages are compressed both ways with who offers it, each for itself, and short ones are not
--EXTENSIONS--
weft
zlib
--FILE--
<?php
require __DIR__ . '/deflate.inc';

const ECHOES = <<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    foreach ($socket as $kind => $message) {
        $socket->send($message, $kind === 'binary');
    }
    PHP;

function answer_to(Server $server, string ...$offers): string
{
    $lines = implode("\r\nSec-WebSocket-Extensions: ", $offers);
    $client = new WsClient($server, '/', ['Sec-WebSocket-Extensions' => $lines]);

    return $client->response->headers['sec-websocket-extensions'] ?? 'nothing';
}

$server = new Server(ECHOES);
foreach ([
    ['permessage-deflate'],
    ['permessage-deflate; client_max_window_bits'],
    ['permessage-deflate; server_max_window_bits=10; client_max_window_bits=8'],
    ['permessage-deflate; server_max_window_bits=7'],
    ['permessage-deflate; server_max_window_bits=7, permessage-deflate'],
    ['x-other, permessage-deflate'],
    ['x-other', 'permessage-deflate'],
    ['x-other'],
] as $offers) {
    echo implode(' | ', $offers), "\n    ", answer_to($server, ...$offers), "\n";
}

echo "both ways\n";
$client = new WsClient($server, '/', ['Sec-WebSocket-Extensions' => 'permessage-deflate']);
foreach (['short' => str_repeat('s', 1023), 'long enough' => str_repeat('s', 1024), 'words' => words(200000)] as $what => $text) {
    foreach ([Ws::text($text), compressed($text)] as $frame) {
        [$flags, $opcode, $content] = $client->send($frame)->frame();
        echo $what, $flags === 12 ? ' compressed' : ' plain', ' ', $opcode,
            ($flags === 12 ? inflated($content, 12) : $content) === $text ? ' the same' : ' another', "\n";
    }
}
$first = $client->send(compressed(words(5000)))->frame();
echo 'nothing is kept of it: ', $client->send(compressed(words(5000)))->frame() === $first ? 'yes' : 'no', "\n";

echo "what can't be shortened stays as it is\n";
$noise = random_bytes(2000);
[$flags, $opcode, $content] = $client->send(compressed($noise, Ws::BINARY))->frame();
echo "$flags $opcode ", $content === $noise ? 'the same' : 'another', "\n";

echo "in parts, with a ping between, and an empty one\n";
$coded = deflated('grün');
$client->send(Ws::frame(Ws::TEXT, substr($coded, 0, 2), 4), Ws::frame(Ws::PING, 'there?'), Ws::frame(Ws::CONTINUATION, '', 0),
    Ws::frame(Ws::CONTINUATION, substr($coded, 2)));
echo $client->next(), ', ', $client->next(), ', ', $client->send(Ws::frame(Ws::TEXT, '', 12))->next(), ', ',
    $client->send(Ws::frame(Ws::TEXT, "\0", 12))->next(), "\n";

echo "a small window: compressed only what fits into it\n";
$client = new WsClient($server, '/', ['Sec-WebSocket-Extensions' => 'permessage-deflate; server_max_window_bits=11']);
foreach ([2048, 2049] as $length) {
    [$flags, , $content] = $client->send(compressed(words($length)))->frame();
    echo "$length $flags ", ($flags === 12 ? inflated($content, 11) : $content) === words($length) ? 'the same' : 'another', "\n";
}
echo $server->stop();

echo "all of them, when weft.ws_compress_min says so\n";
$server = new Server(ECHOES, [], ['weft.ws_compress_min=0']);
$client = new WsClient($server, '/', ['Sec-WebSocket-Extensions' => 'permessage-deflate']);
echo $client->send(Ws::text(str_repeat('s', 20)))->frame()[0], ' ', $client->send(Ws::text('s'))->frame()[0], "\n";
echo $server->stop();

echo "none, when weft.ws_compress says so\n";
$server = new Server(ECHOES, [], ['weft.ws_compress=0']);
echo answer_to($server, 'permessage-deflate'), "\n";
echo $server->stop();
?>
--EXPECT--
permessage-deflate
    permessage-deflate; server_no_context_takeover; client_no_context_takeover
permessage-deflate; client_max_window_bits
    permessage-deflate; server_no_context_takeover; client_no_context_takeover
permessage-deflate; server_max_window_bits=10; client_max_window_bits=8
    permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10
permessage-deflate; server_max_window_bits=7
    nothing
permessage-deflate; server_max_window_bits=7, permessage-deflate
    permessage-deflate; server_no_context_takeover; client_no_context_takeover
x-other, permessage-deflate
    permessage-deflate; server_no_context_takeover; client_no_context_takeover
x-other | permessage-deflate
    permessage-deflate; server_no_context_takeover; client_no_context_takeover
x-other
    nothing
both ways
short plain 1 the same
short plain 1 the same
long enough compressed 1 the same
long enough compressed 1 the same
words compressed 1 the same
words compressed 1 the same
nothing is kept of it: yes
what can't be shortened stays as it is
8 2 the same
in parts, with a ping between, and an empty one
pong "there?", text "gr\u00fcn", text, text
a small window: compressed only what fits into it
2048 12 the same
2049 8 the same
exit status 0
all of them, when weft.ws_compress_min says so
12 8
exit status 0
none, when weft.ws_compress says so
nothing
exit status 0
