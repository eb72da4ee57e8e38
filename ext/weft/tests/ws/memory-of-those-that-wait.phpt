--TEST--
What requests have that wait for messages is no reason for others to wait, while one runs without an end
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$go = tempnam(sys_get_temp_dir(), 'weft-go-');
$server = new Server(<<<PHP
    if (\$_SERVER['REQUEST_URI'] === '/runs') {
        fwrite(STDOUT, "it runs\n");
        while (file_exists('$go')) {
            usleep(1000);
        }
        echo 'it ends';
        return;
    }
    if (\$_SERVER['REQUEST_URI'] === '/page') {
        echo 'page';
        return;
    }
    \$held = str_repeat('x', 9 << 20);
    foreach (Weft\Http\WebSocket::accept() as \$message) {
    }
    PHP, ['max_memory' => 64 << 20], ['weft.http_memory_wait_ms=86400000']);

$runs = $server->connect()->send("GET /runs HTTP/1.1\r\nHost: test\r\n\r\n");
echo $server->line();
for ($i = 0; $i < 6; $i++) {
    $clients[] = $client = new WsClient($server);
    echo $client->response->status, ' ', $server->get('/page'), "\n";
}
unlink($go);
echo $runs->response()->line(), "\n";
foreach ($clients as $client) {
    $client->send(Ws::close())->all();
}
echo $server->get('/page'), "\n", $server->stop();
?>
--EXPECT--
it runs
101 200 page
101 200 page
101 200 page
101 200 page
101 200 page
101 200 page
200 it ends
200 page
exit status 0
