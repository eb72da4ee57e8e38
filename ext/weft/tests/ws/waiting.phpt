--TEST--
Requests that wait for messages keep nobody out, are limited by weft.ws_waiting, and outlive --request-timeout
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    if ($_SERVER['REQUEST_URI'] === '/page') {
        usleep(1000);
        echo 'page';
        return;
    }
    $socket = Weft\Http\WebSocket::accept();
    if ($_SERVER['REQUEST_URI'] === '/over') {
        $socket->handOver('Echoes::take');
        return;
    }
    foreach ($socket as $message) {
        $socket->send($message);
    }
    PHP, ['concurrency' => 2], ['weft.ws_waiting=40', 'weft.http_request_timeout_ms=1000'], <<<'PHP'
    final class Echoes
    {
        public static function take(Weft\Http\WebSocket $socket, string $event, string $data): void
        {
            $event === 'close' || $socket->send($data);
        }
    }
    PHP);

$clients = [];
for ($i = 0; $i < 40; $i++) {
    $clients[] = new WsClient($server);
}
echo count($clients), " wait\n", $server->get('/page'), "\n";

echo "one more\n";
$client = new WsClient($server);
echo $client->response->status, ' ', $client->response->headers['retry-after'], ' ', $client->response->body;
$client = new WsClient($server, '/over');
echo "one that is to be handed over: ", $client->response->status, "\n";

echo "there is room again\n";
array_pop($clients)->send(Ws::close())->all();
$over = [];
for ($i = 0; $i < 60; $i++) {
    $over[] = $client = new WsClient($server, '/over');
    $client->send(Ws::text("first"))->next();
}
echo count($over), " handed over\n";
$clients[] = new WsClient($server);
echo $clients[39]->response->status, "\n";

usleep(1100000);
foreach ([...$clients, ...$over] as $i => $client) {
    $client->send(Ws::text("message $i"));
}
$same = 0;
foreach ([...$clients, ...$over] as $i => $client) {
    $same += $client->next() === "text \"message $i\"";
}
echo "$same answers\n", $server->get('/page'), "\n";
echo $server->stop();
?>
--EXPECT--
40 wait
200 page
one more
503 2 Too many requests wait for messages of their WebSockets now (weft.ws_waiting).
one that is to be handed over: 503
there is room again
60 handed over
101
100 answers
200 page
exit status 0
