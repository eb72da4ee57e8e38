--TEST--
A close that comes while a message is worked on is answered when that is done; its code stays, if the application closes, too, or the client goes
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

unlink($go = tempnam(sys_get_temp_dir(), 'weft-test-'));
$server = new Server(<<<'PHP'
    if ($_SERVER['REQUEST_URI'] === '/page') {
        echo 'page';
        return;
    }
    $socket = Weft\Http\WebSocket::accept();
    if ($_SERVER['REQUEST_URI'] === '/over') {
        $socket->handOver('Worker::take');
        return;
    }
    foreach ($socket as $message) {
        Worker::take($socket, 'text', $message);
    }
    Worker::take($socket, 'close', '');
    PHP, [], [], <<<PHP
    final class Worker
    {
        public static function take(Weft\\Http\\WebSocket \$socket, string \$event, string \$data): void
        {
            if (\$event === 'close') {
                fwrite(STDOUT, 'over ' . \$socket->closeCode() . "\\n");
                return;
            }
            \$socket->send("works on \$data");
            for (; \$data === 'that it goes' ? \$socket->isOpen() : !file_exists('$go'); clearstatcache()) {
                usleep(1000);
            }
            if (\$data === 'that it ends') {
                \$socket->close(4100);
            }
            \$socket->trySend("took \$data");
        }
    }
    PHP);

foreach (['/', '/over'] as $path) {
    foreach (['it', 'that it ends'] as $message) {
        $client = new WsClient($server, $path);
        echo $client->send(Ws::text($message))->next(), ', ';
        $client->send(Ws::close(4000));
        echo $server->get('/page'), ', '; // the close was read before
        touch($go);
        echo $client->all(), ', ', $server->line();
        unlink($go);
    }

    $client = new WsClient($server, $path);
    $client->send(Ws::text('that it goes'));
    $read = [$client->client->socket];
    $none = [];
    stream_select($read, $none, $none, 60);
    $client->send(Ws::close(4005));
    echo $server->get('/page'), ', ';
    $client->client->close(); // with an answer that it has not read: that resets the connection
    echo $server->line();
}
echo $server->stop();
?>
--EXPECT--
text "works on it", 200 page, text "took it", close 4000, closed, over 4000
text "works on that it ends", 200 page, close 4000, closed, over 4000
200 page, over 4005
text "works on it", 200 page, text "took it", close 4000, closed, over 4000
text "works on that it ends", 200 page, close 4000, closed, over 4000
200 page, over 4005
exit status 0
