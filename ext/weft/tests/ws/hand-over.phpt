--TEST--
A socket that was handed over calls a static method for each message and its end, one after another, with its state
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    $socket->handOver('Counter::take', 'begin');
    try {
        $socket->receive();
    } catch (Weft\Http\WebSocketException $e) {
        $socket->send($e->getMessage());
    }
    PHP, ['linger_ms' => 20], [], <<<'PHP'
    final class Counter
    {
        public static int $calls = 0;

        public static function take(Weft\Http\WebSocket $socket, string $event, string $data): void
        {
            self::$calls++;
            echo 'nobody gets this';
            usleep(ord($data[0] ?? "\0") % 3 * 1000);
            $state = $socket->state() . " $data";
            $socket->setState($state);
            fwrite(STDOUT, "$event $data, calls " . self::$calls . ', state ' . $state . ', ' . $_SERVER['REQUEST_METHOD']
                . " $_SERVER[REQUEST_URI] $_SERVER[HTTP_HOST] $_SERVER[REMOTE_ADDR] " . json_encode($_GET + $_COOKIE) . "\n");
            if ($data === 'last') {
                fwrite(STDOUT, "from $_SERVER[REMOTE_PORT] to $_SERVER[SERVER_PORT]\n");
            }
            if ($event === 'close') {
                fwrite(STDOUT, 'code ' . $socket->closeCode() . ', ' . ($socket->trySend('x') ? 'sent' : 'not sent') . "\n");
            } elseif ($event === 'binary') {
                Async\spawn(fn () => Async\delay(60_000));
                throw new Exception('too much');
            } else {
                $socket->send("took $data");
            }
        }
    }
    PHP);

$client = new WsClient($server, '/room?a=1', ['Cookie' => 'b=2']);
echo $client->next(), "\n";
foreach (range(1, 5) as $i) {
    $client->send(Ws::text((string) $i));
}
foreach (range(1, 5) as $i) {
    echo $server->line(), $client->next(), "\n";
}
$from = substr(strrchr(stream_socket_get_name($client->client->socket, false), ':'), 1);
$client->send(Ws::text('last'), Ws::close(4000, 'because'));
echo $server->line(), $server->line() === "from $from to $server->port\n" ? "its ports\n" : "others\n", $server->line(), $server->line();
echo $client->all(), "\n";

echo "an exception ends it\n";
$client = new WsClient($server, '/room');
$client->next();
echo $client->send(Ws::frame(Ws::BINARY, 'b'))->next(), "\n", $server->line();
$client->send(Ws::close(1011));
echo $server->line(), $server->line(), $client->all(), "\n";
usleep(60_000); // its coroutine lingers
echo $server->stop();
?>
--EXPECTF--
text "This WebSocket was handed over: its messages go to the method that was named there"
text 1, calls 1, state begin 1, GET /room?a=1 test 127.0.0.1 {"a":"1"}
text "took 1"
text 2, calls 1, state begin 1 2, GET /room?a=1 test 127.0.0.1 {"a":"1"}
text "took 2"
text 3, calls 1, state begin 1 2 3, GET /room?a=1 test 127.0.0.1 {"a":"1"}
text "took 3"
text 4, calls 1, state begin 1 2 3 4, GET /room?a=1 test 127.0.0.1 {"a":"1"}
text "took 4"
text 5, calls 1, state begin 1 2 3 4 5, GET /room?a=1 test 127.0.0.1 {"a":"1"}
text "took 5"
text last, calls 1, state begin 1 2 3 4 5 last, GET /room?a=1 test 127.0.0.1 {"a":"1"}
its ports
close because, calls 1, state begin 1 2 3 4 5 last because, GET /room?a=1 test 127.0.0.1 {"a":"1"}
code 4000, not sent
text "took last", close 4000, closed
an exception ends it
close 1011
binary b, calls 1, state begin b, GET /room test 127.0.0.1 []
close , calls 1, state begin b , GET /room test 127.0.0.1 []
code 1011, not sent
closed
exit status 0
PHP Fatal error:  Uncaught Exception: too much in %s
%Aweft: WS /room: 1 coroutine still ran 20 ms after its end and will be cancelled (weft.http_linger_ms)
