--TEST--
Without isolation sockets work as well
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    if ($_SERVER['REQUEST_URI'] === '/over') {
        $socket->handOver('Counter::take', 'kept');
        return;
    }
    foreach ($socket as $message) {
        $socket->send($message . ' ' . ++Counter::$calls);
    }
    fwrite(STDOUT, 'over ' . $socket->closeCode() . "\n");
    PHP, ['isolation' => false], [], <<<'PHP'
    final class Counter
    {
        public static int $calls = 0;

        public static function take(Weft\Http\WebSocket $socket, string $event, string $data): void
        {
            if ($event === 'close') {
                fwrite(STDOUT, 'over ' . $socket->closeCode() . "\n");
            } else {
                $socket->send("$data " . ++self::$calls . ' ' . $socket->state());
            }
        }
    }
    PHP);

$one = new WsClient($server);
$two = new WsClient($server, '/over');
foreach ([$one, $two, $one, $two] as $client) {
    echo $client->send(Ws::text('message'))->next(), "\n";
}
echo $one->send(Ws::close(3000))->all(), ', ', $server->line();
echo $two->send(Ws::close(3001))->all(), ', ', $server->line();
echo $server->stop();
?>
--EXPECT--
text "message 1"
text "message 2 kept"
text "message 3"
text "message 4 kept"
close 3000, closed, over 3000
close 3001, closed, over 3001
exit status 0
