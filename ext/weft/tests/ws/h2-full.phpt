--TEST--
What waits for a client counts, however short it is: 64 bytes for each message, and for the answers to its pings, behind which it is not read
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/h2.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    if (isset($_GET['fill'])) {
        for ($sent = 0; $socket->trySend(''); $sent++) {
        }
        fwrite(STDOUT, "$sent messages without a byte\n");
    }
    foreach ($socket as $message) {
        $socket->send($message);
    }
    PHP, [], ['weft.ws_buffer=6600', 'weft.http2_window=65535']);

// what a client's window doesn't let through waits here, and in no buffer of the kernel's
$client = new H2Sockets($server, [4 => 0]);
$client->open(1, '/?fill');
echo $client->answer(1), ', ', $server->line();
$client->client->send(H2::window(1, 10000));
for ($came = 0; $came < 100 && $client->next(1) === 'text'; $came++) {
}
echo "$came came, ", $client->send(1, Ws::close(), true)->all(1), "\n";

echo "pings\n";
$client = new H2Sockets($server, [4 => 0]);
echo $client->open(1)->answer(1), "\n";
for ($i = 0; $i < 5; $i++) {
    $client->send(1, str_repeat(Ws::frame(Ws::PING, str_repeat('p', 100)), 100));
}
$client->send(1, Ws::text('behind'));
echo $client->open(3)->answer(3), ', the window is ', isset($client->opened[1]) ? 'opened' : 'not opened', "\n";
$client->client->send(H2::window(1, 100000));
for ($came = 0; $came < 500 && $client->next(1) === 'pong "' . str_repeat('p', 100) . '"'; $came++) {
}
echo "$came came, ", $client->next(1), ', ', $client->send(1, Ws::close(), true)->all(1), ', ',
    isset($client->opened[1]) ? 'opened' : 'not opened', " then\n";
echo $server->stop();
?>
--EXPECT--
200, 100 messages without a byte
100 came, close 1000, 200 (end)
pings
200
200, the window is not opened
500 came, text "behind", close 1000, 200 (end), opened then
exit status 0
