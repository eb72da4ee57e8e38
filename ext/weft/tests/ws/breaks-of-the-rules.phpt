--TEST--
Whoever breaks the rules of frames is told so by the code of a close, and the controller's foreach ends
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    foreach ($socket as $message) {
        $socket->send('got ' . strlen($message));
    }
    fwrite(STDOUT, 'over ' . $socket->closeCode() . "\n");
    PHP, [], ['weft.ws_max_message=1000']);

function attempt(Server $server, string $what, string ...$frames): void
{
    $client = new WsClient($server);
    echo "$what: ", $client->send(...$frames)->all(), ', ', $server->line();
}

$frame = Ws::frame(...);
attempt($server, 'not masked', $frame(Ws::TEXT, 'x', 8, false));
foreach ([4, 2, 1] as $bit) {
    attempt($server, "reserved bit $bit", $frame(Ws::TEXT, 'x', 8 | $bit));
}
foreach ([3, 7, 11, 15] as $opcode) {
    attempt($server, "opcode $opcode", $frame($opcode));
}
attempt($server, 'nothing to continue', $frame(Ws::CONTINUATION, 'x'));
attempt($server, 'another message in one', $frame(Ws::TEXT, 'x', 0), $frame(Ws::TEXT, 'y'));
attempt($server, 'a long ping', $frame(Ws::PING, str_repeat('x', 126)));
attempt($server, 'a ping in parts', $frame(Ws::PING, 'x', 0));
attempt($server, 'a length in more bytes than it needs', "\x81\xfe\0\x01\0\0\0\0x");
attempt($server, 'a length beyond all', "\x81\xff\xff" . str_repeat("\0", 11));
attempt($server, 'bad UTF-8', $frame(Ws::TEXT, "ok\xff"));
attempt($server, 'half a character', $frame(Ws::TEXT, "\xc3"));
attempt($server, 'bad UTF-8 over two frames', $frame(Ws::TEXT, "\xe2\x82", 0), $frame(Ws::CONTINUATION, 'x'));
attempt($server, 'too big', $frame(Ws::TEXT, 'x', 8, true, 1001));
attempt($server, 'too big in parts', $frame(Ws::TEXT, str_repeat('x', 600), 0), $frame(Ws::CONTINUATION, 'x', 8, true, 401));
attempt($server, 'a head alone that announces too much', substr($frame(Ws::BINARY, '', 8, true, 1 << 40), 0, 14));
attempt($server, 'the same behind a message', Ws::text('x') . substr($frame(Ws::TEXT, '', 8, true, 1001), 0, 8));
attempt($server, 'the same, byte by byte', ...str_split(substr($frame(Ws::TEXT, '', 8, true, 1001), 0, 8)));
attempt($server, 'a part too much, by its head alone', $frame(Ws::TEXT, str_repeat('x', 600), 0) . Ws::frame(Ws::PING)
    . substr($frame(Ws::CONTINUATION, '', 8, true, 401), 0, 8));
attempt($server, 'as big as it may be', $frame(Ws::TEXT, str_repeat('x', 600), 0), $frame(Ws::CONTINUATION, str_repeat('x', 400)),
    Ws::close());
attempt($server, 'close of one byte', $frame(Ws::CLOSE, 'x'));
foreach ([0, 999, 1004, 1005, 1006, 1015, 2999, 5000] as $code) {
    attempt($server, "close $code", Ws::close($code));
}
attempt($server, 'close with bad UTF-8', Ws::close(1000, "\xff"));
$bytes = str_split(Ws::close(1000, "ok\xff\xff"), 6);
attempt($server, 'the same in pieces', ...$bytes);
foreach ([1000, 1011, 3000, 4999] as $code) {
    attempt($server, "close $code", Ws::close($code, 'fine'));
}
echo $server->stop();
?>
--EXPECT--
not masked: close 1002, closed, over 1002
reserved bit 4: close 1002, closed, over 1002
reserved bit 2: close 1002, closed, over 1002
reserved bit 1: close 1002, closed, over 1002
opcode 3: close 1002, closed, over 1002
opcode 7: close 1002, closed, over 1002
opcode 11: close 1002, closed, over 1002
opcode 15: close 1002, closed, over 1002
nothing to continue: close 1002, closed, over 1002
another message in one: close 1002, closed, over 1002
a long ping: close 1002, closed, over 1002
a ping in parts: close 1002, closed, over 1002
a length in more bytes than it needs: close 1002, closed, over 1002
a length beyond all: close 1002, closed, over 1002
bad UTF-8: close 1007, closed, over 1007
half a character: close 1007, closed, over 1007
bad UTF-8 over two frames: close 1007, closed, over 1007
too big: close 1009, closed, over 1009
too big in parts: close 1009, closed, over 1009
a head alone that announces too much: close 1009, closed, over 1009
the same behind a message: text "got 1", close 1009, closed, over 1009
the same, byte by byte: close 1009, closed, over 1009
a part too much, by its head alone: pong, close 1009, closed, over 1009
as big as it may be: text "got 1000", close 1000, closed, over 1000
close of one byte: close 1002, closed, over 1002
close 0: close 1002, closed, over 1002
close 999: close 1002, closed, over 1002
close 1004: close 1002, closed, over 1002
close 1005: close 1002, closed, over 1002
close 1006: close 1002, closed, over 1002
close 1015: close 1002, closed, over 1002
close 2999: close 1002, closed, over 1002
close 5000: close 1002, closed, over 1002
close with bad UTF-8: close 1007, closed, over 1007
the same in pieces: close 1007, closed, over 1007
close 1000: close 1000, closed, over 1000
close 1011: close 1011, closed, over 1011
close 3000: close 3000, closed, over 3000
close 4999: close 4999, closed, over 4999
exit status 0
