--TEST--
A client that is refused its WebSocket, or has closed it, is no failure: nobody catches that, and nothing is logged
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    if ($_SERVER['REQUEST_URI'] !== '/foreign') {
        set_exception_handler(static function (Throwable $e): void {
            fwrite(STDOUT, 'handler: ' . $e->getMessage() . "\n");
        });
    }
    register_shutdown_function(static function (): void {
        fwrite(STDOUT, "$_SERVER[REQUEST_URI] ends\n");
    });
    if ($_SERVER['REQUEST_URI'] === '/failure') {
        throw new RuntimeException('A failure');
    }
    $socket = Weft\Http\WebSocket::accept();
    while ($socket->isOpen()) {
        Async\delay(1);
    }
    $socket->send('too late');
    fwrite(STDOUT, "not reached\n");
    PHP);

echo $server->connect()->send(Ws::request('/refused', ['Upgrade' => null]))->response()->status, ' ', $server->line();
echo $server->connect()->send(Ws::request('/foreign', ['Origin' => 'https://evil.test']))->response()->status, ' ', $server->line();
$server->connect()->send(Ws::request('/left'))->close();
echo $server->line();
$server->connect()->send(Ws::request('/failure'));
echo $server->line(), $server->line();
echo $server->stop();
?>
--EXPECT--
426 /refused ends
403 /foreign ends
/left ends
handler: A failure
/failure ends
exit status 0
