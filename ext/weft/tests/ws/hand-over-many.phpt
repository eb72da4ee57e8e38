--TEST--
What a client sends to a socket that was handed over, while a message of it is worked on, is taken afterwards: more than is read ahead
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server("Weft\Http\WebSocket::accept()->handOver('Taker::take');", [], [], <<<'PHP'
    final class Taker
    {
        public static function take(Weft\Http\WebSocket $socket, string $event, string $data): void
        {
            usleep(1000);
            $socket->trySend(substr($data, 0, 3));
        }
    }
    PHP);

$client = new WsClient($server);
$text = str_repeat('x', 20_000);
$client->send(...array_map(fn (int $i): string => Ws::text(sprintf('%03d', $i) . $text), range(1, 50)));
for ($i = 1; $i <= 50 && $client->next() === sprintf('text "%03d"', $i); $i++) {
}
echo $i - 1, " were answered\n";
echo $client->send(Ws::close())->all(), "\n", $server->stop();
?>
--EXPECT--
50 were answered
close 1000, closed
exit status 0
