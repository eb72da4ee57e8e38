--TEST--
A socket ends with its object, its request, or its server, each with its code
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    if (isset($_GET['until'])) {
        fwrite(STDOUT, "late\n");
        for (; !file_exists($_GET['until']); clearstatcache()) {
            Async\delay(5);
        }
    }
    $socket = Weft\Http\WebSocket::accept();
    switch ($_SERVER['REQUEST_URI']) {
        case '/close':
            $socket->close(4001, 'enough');
            var_dump($socket->isOpen(), $socket->closeCode(), $socket->receive(), $socket->trySend('x'));
            try {
                $socket->send('x');
            } catch (Weft\Http\WebSocketClosed $e) {
                fwrite(STDOUT, $e->getMessage() . "\n");
            }
            break;
        case '/unset':
            $socket->send('before');
            unset($socket);
            fwrite(STDOUT, "unset\n");
            usleep(10000);
            break;
        case '/returns':
            $GLOBALS['kept'] = $socket;
            break;
        case '/exit':
            exit;
        case '/throws':
            throw new Exception('oh');
        case '/fatal':
            $f = fn () => eval('class A { function a() {} function a() {} }');
            $f();
        case '/waits':
            foreach ($socket as $message) {
                $socket->send($message);
            }
            fwrite(STDOUT, 'over ' . $socket->closeCode() . ', ' . var_export($socket->isOpen(), true) . "\n");
            break;
        case '/over':
            $socket->handOver('Taker::take', '', 4200);
    }
    PHP, [], [], <<<'PHP'
    final class Taker
    {
        public static function take(Weft\Http\WebSocket $socket, string $event, string $data): void
        {
            fwrite(STDOUT, "$event " . $socket->closeCode() . "\n");
        }
    }
    PHP);

foreach (['close', 'unset', 'returns', 'exit', 'throws'] as $path) {
    $client = new WsClient($server, "/$path");
    if ($path === 'close') {
        echo $client->next(), ', ', $server->line();
        $client->send(Ws::frame(Ws::PING), Ws::text('who still talks is not answered'), Ws::close(4001));
    }
    echo "$path: ", $client->all(), $path === 'unset' ? ', ' . $server->line() : "\n";
}
$waits = new WsClient($server, '/waits');
$over = new WsClient($server, '/over');
echo $waits->send(Ws::text('there'))->next(), "\n";
unlink($until = tempnam(sys_get_temp_dir(), 'weft-test-'));
$late = $server->connect()->send(Ws::request('/late?until=' . urlencode($until)));
echo $server->line();
$server->signal(15);
foreach ([$waits, $over] as $client) {
    echo $client->next(), "\n";
    $client->send(Ws::close(1001));
    echo $client->all(), "\n";
}
touch($until);
$refused = $late->response();
unlink($until);
echo "$refused->status $refused->body", $server->stop();
?>
--EXPECTF--
close 4001 "enough", The WebSocket is closed
close: closed
unset: text "before", close 1000, closed, unset
returns: close 1000, closed
exit: close 1000, closed
throws: close 1011, closed
text "there"
late
close 1012
closed
close 4200
closed
503 The server is about to restart.
exit status 0
over 1012, false
close 4200
PHP Fatal error:  Uncaught Exception: oh in %s
%A
