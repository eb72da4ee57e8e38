--TEST--
WebSockets are not closed to make room: newcomers take the places of connections that are idle
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    if ($_SERVER['REQUEST_URI'] === '/page') {
        echo 'page';
        return;
    }
    $socket = Weft\Http\WebSocket::accept();
    foreach ($socket as $message) {
        $socket->send($message);
    }
    PHP, [], ['weft.http_connections=6']);

$sockets = $idle = [];
for ($i = 0; $i < 4; $i++) {
    $sockets[] = new WsClient($server);
}
for ($i = 0; $i < 20; $i++) {
    $idle[] = $client = $server->connect();
    $pages[] = $client->send("GET /page HTTP/1.1\r\nHost: test\r\n\r\n")->response()->line();
}
echo implode(', ', array_unique($pages)), "\n";
$same = 0;
foreach ($sockets as $i => $socket) {
    $same += $socket->send(Ws::text("message $i"))->next() === "text \"message $i\"";
}
echo "$same sockets are open\n";
foreach ($sockets as $socket) {
    $socket->send(Ws::close())->all();
}
unset($sockets);
echo $idle[0]->closed() ? "the first of the others is closed\n" : "it is still there\n";
echo $server->get('/page'), "\n", $server->stop();
?>
--EXPECT--
200 page
4 sockets are open
the first of the others is closed
200 page
exit status 0
