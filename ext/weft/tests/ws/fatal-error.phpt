--TEST--
A fatal error, and a message that takes too long, close their socket with 1011, and no other one
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    if ($_SERVER['REQUEST_URI'] === '/over') {
        $socket->handOver('Taker::take');
        return;
    }
    foreach ($socket as $message) {
        Taker::take($socket, 'text', $message);
    }
    PHP, [], ['weft.http_request_timeout_ms=1000'], <<<'PHP'
    final class Taker
    {
        public static function take(Weft\Http\WebSocket $socket, string $event, string $data): void
        {
            switch ($data) {
                case 'die':
                    eval('class A { function a() {} function a() {} }');
                case 'wait':
                    sleep(60);
                case 'exit':
                    exit;
            }
            $event === 'close' || $socket->send("took $data");
        }
    }
    PHP);

$other = new WsClient($server);
$overOther = new WsClient($server, '/over');
foreach (['/', '/over'] as $path) {
    $client = new WsClient($server, $path);
    echo $client->send(Ws::text('die'))->next(), "\n";
    $client->client->close();
}
$client = new WsClient($server, '/over');
echo $client->send(Ws::text('exit'), Ws::text('next'))->next(), "\n";
echo $client->send(Ws::text('wait'))->next(), "\n";
$client->client->close();
foreach ([$other, $overOther] as $client) {
    echo $client->send(Ws::text('x'))->next(), "\n";
    $client->send(Ws::close())->all();
}
echo $server->stop();
?>
--EXPECTF--
close 1011
close 1011
text "took next"
close 1011
text "took x"
text "took x"
exit status 0
PHP Fatal error:  Cannot redeclare A::a() in %s
PHP Fatal error:  Cannot redeclare A::a() in %s
weft: WS /over: nothing came of it for 1 s (--request-timeout): its WebSocket is closed; it waited (sleep) in %s and is cancelled
