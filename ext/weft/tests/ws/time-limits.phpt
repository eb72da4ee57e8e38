--TEST--
A silent client is asked whether it is there; who does not answer, and who does not close in time, is gone
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$handler = <<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    if ($_SERVER['REQUEST_URI'] === '/close') {
        $socket->close(4001);
    }
    foreach ($socket as $message) {
        if ($message === 'work') {
            $socket->send('working');
            while ($socket->isOpen()) {
                usleep(1000);
            }
            fwrite(STDOUT, "done\n");
        }
    }
    fwrite(STDOUT, 'over ' . $socket->closeCode() . "\n");
    PHP;

$server = new Server($handler, [], ['weft.ws_ping=0.05', 'weft.ws_pong=0.05', 'weft.ws_close=50']);
echo "it says that it is there, and then does not\n";
$client = new WsClient($server);
for ($i = 0; $i < 3; $i++) {
    echo $client->next(), "\n";
    $client->send(Ws::frame(Ws::PONG));
}
echo $client->next(), ', ', $client->next(), ', ', $server->line();

echo "a close that is not answered\n";
$client = new WsClient($server, '/close');
stream_set_timeout($client->client->socket, 4); // the default is longer
echo $client->next(), ', ', $client->next(), ', ', $server->line();

echo "a close that comes while a message is worked on\n";
$client = new WsClient($server);
$client->send(Ws::text('work'));
while (($words = $client->next()) === 'ping');
echo $words, "\n";
$client->send(Ws::close(3000));
while (($words = $client->next()) === 'ping');
echo $words, ', ', $client->next(), ', ', $server->line(), $server->line();
echo $server->stop();

echo "nobody is asked\n";
$server = new Server($handler, [], ['weft.ws_ping=0']);
$client = new WsClient($server);
stream_set_timeout($client->client->socket, 0, 200000);
echo $client->next(), "\n";
$client->client->close();
echo $server->line(), $server->stop();
?>
--EXPECT--
it says that it is there, and then does not
ping
ping
ping
ping, closed, over 1006
a close that is not answered
close 4001, closed, over 4001
a close that comes while a message is worked on
text "working"
close 3000, closed, done
over 3000
exit status 0
nobody is asked
nothing comes
over 1006
exit status 0
