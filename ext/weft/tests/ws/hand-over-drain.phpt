--TEST--
A server that drains waits for ends of sockets that were handed over and are in line, also in a moment when none runs
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

// Each end computes for longer than the server waits before it looks again whether it is idle. So that is due when the
// end is over, and is done before the next one begins.
$server = new Server(<<<'PHP'
    Weft\Http\WebSocket::accept()->handOver('Ends::take');
    PHP, ['concurrency' => 1], ['weft.time_slice=0', 'weft.ws_close=10000'], <<<'PHP'
    final class Ends
    {
        public static function take(Weft\Http\WebSocket $socket, string $event): void
        {
            for ($until = hrtime(true) + 30_000_000; hrtime(true) < $until;) {
            }
            fwrite(STDOUT, "$event " . $socket->closeCode() . "\n");
        }
    }
    PHP);

$clients = [];
foreach (range(1, 8) as $i) {
    $clients[] = new WsClient($server);
}
$server->signal(15);
foreach ($clients as $client) {
    echo $client->next(), "\n";
}
foreach ($clients as $client) {
    $client->send(Ws::close(1012));
    fclose($client->client->socket);
}
echo $server->stop();
?>
--EXPECT--
close 1012
close 1012
close 1012
close 1012
close 1012
close 1012
close 1012
close 1012
exit status 0
close 1012
close 1012
close 1012
close 1012
close 1012
close 1012
close 1012
close 1012
