--TEST--
WebSocket over HTTP/2: silence, a client that takes nothing, a half-closed connection and a server that drains end its sockets as they should
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/h2.inc';

const ECHOES = <<<'PHP'
    try {
        $socket = Weft\Http\WebSocket::accept();
        if (isset($_GET['send'])) {
            while ($socket->isOpen()) {
                $socket->send(str_repeat('x', 5000));
            }
        }
        foreach ($socket as $message) {
            $socket->send($message);
        }
    } catch (Weft\Http\WebSocketException) {
    } finally {
        fwrite(STDOUT, "$_SERVER[REQUEST_URI] over " . $socket->closeCode() . "\n");
    }
    PHP;

/** The lines of two requests, of which either may be over first. */
function both(Server $server): string
{
    $lines = [$server->line(), $server->line()];
    sort($lines);

    return implode('', $lines);
}

echo "a client that is silent is asked, and answers or not\n";
$server = new Server(ECHOES, [], ['weft.ws_ping=0.2', 'weft.ws_pong=1']);
$client = new H2Sockets($server);
echo $client->open(1, '/a')->answer(1), ', ', $client->open(3, '/b')->answer(3), ', ', $client->next(1), ', ', $client->next(3), "\n";
$client->send(1, Ws::frame(Ws::PONG) . Ws::close(), true);
echo $client->all(1), ', ', $client->all(3), "\n", both($server);
$server->stop();

echo "a client that leaves its window closed\n";
$server = new Server(ECHOES, ['write_timeout_ms' => 300], ['weft.ws_buffer=20000']);
$client = new H2Sockets($server, [4 => 1000]);
$client->open(1, '/?send=1')->open(3);
echo $client->answer(1), ', ', $client->answer(3), ', ', $server->line();
$client->client->settle();
echo $client->next(1), ', ', $client->send(3, Ws::text('beside'))->next(3), "\n";
$server->stop();

echo "a client that says no more on the connection, and still reads\n";
$server = new Server(ECHOES);
$client = new H2Sockets($server);
echo $client->open(1)->answer(1), ', ', $client->send(1, Ws::text('last'))->next(1), "\n";
stream_socket_shutdown($client->client->client->socket, STREAM_SHUT_WR);
echo $client->all(1), ', ', $server->line();

echo "a server that drains\n";
$client = new H2Sockets($server);
echo $client->open(1, '/a')->answer(1), ', ', $client->open(3, '/b')->answer(3), "\n";
$server->signal(15);
echo $client->next(1), ', ', $client->next(3), "\n";
echo $client->send(1, Ws::close(1012), true)->all(1), ', ', $client->send(3, Ws::close(1012), true)->all(3), "\n";
echo both($server), implode(', ', [...$client->told, ...$client->client->until()]), "\n";
echo $server->stop();

echo "one whose client does not answer its close\n";
$server = new Server(ECHOES, [], ['weft.ws_close=200']);
$client = new H2Sockets($server);
stream_set_timeout($client->client->client->socket, 4); // the default is longer
echo $client->open(1, '/a')->answer(1), "\n";
$server->signal(15);
echo $client->all(1), ', ', $server->line();
echo $server->stop();
?>
--EXPECT--
a client that is silent is asked, and answers or not
200, 200, ping, ping
close 1000, 200 (end), RST_STREAM CANCEL
/a over 1000
/b over 1006
a client that leaves its window closed
200, 200, /?send=1 over 1006
RST_STREAM CANCEL, text "beside"
a client that says no more on the connection, and still reads
200, text "last"
RST_STREAM CANCEL, / over 1006
a server that drains
200, 200
close 1012, close 1012
200 (end), 200 (end)
/a over 1012
/b over 1012
PING, GOAWAY NO_ERROR, GOAWAY NO_ERROR, closed
exit status 0
one whose client does not answer its close
200
close 1012, RST_STREAM CANCEL, /a over 1012
exit status 0
