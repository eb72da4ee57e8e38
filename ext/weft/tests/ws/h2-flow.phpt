--TEST--
WebSocket over HTTP/2: neither side may send more than the other takes, and a socket that stands still holds up no other
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/h2.inc';

$server = new Server(<<<'PHP'
    usleep(1000 * (int) ($_GET['late'] ?? 0));
    $socket = Weft\Http\WebSocket::accept();
    if (isset($_GET['send'])) {
        for ($i = 0; $i < $_GET['send']; $i++) {
            file_put_contents($_GET['count'], $i);
            $socket->send(str_repeat(chr(97 + $i % 26), 1000));
        }
        fwrite(STDOUT, "sent\n");
    }
    if (isset($_GET['hold'])) {
        foreach ($socket as $message) {
            fwrite(STDOUT, strlen($message) . "\n");
            while (!file_exists($_GET['hold'])) {
                usleep(1000);
            }
        }
    }
    foreach ($socket as $message) {
        $socket->send(strlen($message));
    }
    PHP, [], ['weft.ws_buffer=20000', 'weft.http2_window=65535']);

echo "the client's window is closed: send() waits, others go on\n";
$client = new H2Sockets($server, [4 => 1500]);
$count = tempnam(sys_get_temp_dir(), 'weft-count-');
$client->open(1, '/?send=100&count=' . urlencode($count));
echo $client->answer(1), ', ', $client->next(1), "\n";
echo $client->open(3)->answer(3), ', ', $client->send(3, Ws::text('beside'))->next(3), "\n";
$client->client->settle();
echo strlen($client->bytes[1]), ' bytes of the second message, ', file_get_contents($count) < 30 ? 'the others wait' : 'all are sent', "\n";
unlink($count);
$client->client->send(H2::window(1, 200000), H2::window(0, 200000));
echo $server->line();
for ($n = 1; $n < 100 && $client->next(1) === 'text 1000 bytes'; $n++) {
}
echo "$n came, ", $client->send(1, Ws::close(), true)->all(1), "\n";

echo "the server's window of a socket whose messages nobody takes stays closed, that of the connection does not\n";
$hold = tempnam(sys_get_temp_dir(), 'weft-hold-');
unlink($hold);
$client = new H2Sockets($server);
$client->open(1, '/?hold=' . urlencode($hold))->open(3);
echo $client->answer(1), ', ', $client->answer(3), "\n";
$client->send(1, Ws::frame(Ws::BINARY, str_repeat('a', 9990)));
echo $server->line();
for ($i = 0; $i < 5; $i++) { // 10,004 bytes each
    $client->send(1, Ws::frame(Ws::BINARY, str_repeat('b', 9996)));
}
for ($i = 0; $i < 20; $i++) {
    echo $client->send(3, Ws::frame(Ws::BINARY, str_repeat('c', 16000)))->next(3) === 'text "16000"' ? '' : 'no echo';
}
echo 'of the connection ', $client->opened[0] >= 300000 ? 'opened' : 'not opened', ', of the other ',
    $client->opened[3] >= 250000 ? 'opened' : 'not opened', ', of this one ', $client->opened[1] ?? 'not opened', "\n";
touch($hold);
for ($i = 0; $i < 5; $i++) {
    echo $server->line();
}
echo $client->send(1, Ws::close(), true)->all(1), ', ', $client->opened[1] >= 30000 ? 'opened' : 'not opened', " then\n";
unlink($hold);
echo $server->stop();
?>
--EXPECT--
the client's window is closed: send() waits, others go on
200, text 1000 bytes
200, text "6"
496 bytes of the second message, the others wait
sent
100 came, close 1000, 200 (end)
the server's window of a socket whose messages nobody takes stays closed, that of the connection does not
200, 200
9990
of the connection opened, of the other opened, of this one not opened
9996
9996
9996
9996
9996
close 1000, 200 (end), opened then
exit status 0
