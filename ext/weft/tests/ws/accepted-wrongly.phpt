--TEST--
accept() where there is nothing to accept, or no more: an exception says why, and the request goes on
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

use Weft\Http\WebSocket;

function attempt(Closure $what): string
{
    try {
        $what();

        return 'nothing is thrown';
    } catch (Throwable $e) {
        return $e::class . ': ' . $e->getMessage();
    }
}

echo attempt(static fn () => WebSocket::accept()), "\n";
echo attempt(static fn () => new WebSocket()), "\n";
echo attempt(static fn () => (new ReflectionClass(WebSocket::class))->newInstanceWithoutConstructor()), "\n";

$server = new Server(<<<'PHP'
    $attempt = static function (Closure $what): string {
        try {
            $what();

            return 'nothing is thrown';
        } catch (Throwable $e) {
            return $e::class . ': ' . $e->getMessage();
        }
    };
    $accept = static fn () => Weft\Http\WebSocket::accept();
    switch ($_SERVER['REQUEST_URI']) {
        case '/printed':
            ob_start();
            echo 'printed, ';
            echo $attempt($accept);
            break;
        case '/sent':
            echo 'sent, ';
            flush();
            echo $attempt($accept);
            break;
        case '/callback-prints':
            header_register_callback(static function () { echo 'printed by a callback, '; });
            echo $attempt($accept);
            break;
        case '/callback-flushes':
            header_register_callback(static function () { echo 'flushed by a callback, '; flush(); });
            echo $attempt($accept);
            break;
        case '/callback-throws':
            header_register_callback(static function () { throw new LogicException('thrown by a callback'); });
            echo $attempt($accept);
            break;
        case '/names':
            echo $attempt(static fn () => Weft\Http\WebSocket::accept(null, ['a', ''])) . ', ' .
                $attempt(static fn () => Weft\Http\WebSocket::accept(null, [], [1]));
            break;
        case '/twice':
            $socket = $accept();
            $socket->send($attempt($accept));
            $socket->send($attempt(static fn () => clone $socket));
            $socket->send($attempt(static fn () => $socket->close(1006)));
            $socket->send($attempt(static fn () => $socket->close(1000, str_repeat('x', 124))));
            $socket->send($attempt(static fn () => $socket->send("\xff")));
            $socket->send($attempt(static fn () => $socket->ping(str_repeat('x', 126))));
            $socket->send($attempt(static fn () => $socket->handOver('strlen')));
            $socket->send($attempt(static fn () => $socket->handOver('Taker::take', '', 1005)));
            Async\spawn(static fn () => $socket->receive());
            Async\delay(1);
            $socket->send($attempt(static fn () => $socket->receive()));
            break; // while the other one waits
        case '/message':
            $accept()->handOver('Taker::take');
    }
    PHP, [], [], <<<'PHP'
    final class Taker
    {
        public static function take(Weft\Http\WebSocket $socket, string $event, string $data): void
        {
            try {
                Weft\Http\WebSocket::accept();
            } catch (Weft\Http\WebSocketException $e) {
                $socket->trySend($e->getMessage());
            }
        }
    }
    PHP);

foreach (['printed', 'sent', 'callback-prints', 'callback-flushes', 'callback-throws', 'names'] as $path) {
    echo $server->connect()->send(Ws::request("/$path"))->response()->body, "\n";
}
$client = new WsClient($server, '/twice');
for ($i = 0; $i < 9; $i++) {
    echo $client->frame()[2], "\n";
}
$client = new WsClient($server, '/message');
echo json_decode(substr($client->send(Ws::text('x'))->next(), 5)), "\n";
$client->client->close();
echo $server->stop();
?>
--EXPECT--
Weft\Http\WebSocketException: There is no request here whose WebSocket could be accepted
Error: Call to private Weft\Http\WebSocket::__construct() from global scope
ReflectionException: Class Weft\Http\WebSocket is an internal class marked as final that cannot be instantiated without invoking its constructor
printed, Weft\Http\WebSocketException: Something was printed: accept the WebSocket before, or discard it (ob_clean())
sent, Weft\Http\WebSocketException: The answer of this request has begun: accept its WebSocket before anything is sent
printed by a callback, Weft\Http\WebSocketException: The answer of this request has begun: accept its WebSocket before anything is sent
flushed by a callback, Weft\Http\WebSocketException: The answer of this request has begun: accept its WebSocket before anything is sent
LogicException: thrown by a callback
ValueError: Weft\Http\WebSocket::accept(): Argument #2 ($protocols) must be a list of non-empty strings, ValueError: Weft\Http\WebSocket::accept(): Argument #3 ($origins) must be a list of non-empty strings
Weft\Http\WebSocketException: The WebSocket of this request has been accepted before
Error: Trying to clone an uncloneable object of class Weft\Http\WebSocket
ValueError: Weft\Http\WebSocket::close(): Argument #1 ($code) must be 1000 to 1003, 1007 to 1014, or 3000 to 4999
ValueError: Weft\Http\WebSocket::close(): Argument #2 ($reason) must be valid UTF-8 of at most 123 bytes
ValueError: Weft\Http\WebSocket::send(): Argument #1 ($message) must be valid UTF-8, or be sent as binary
ValueError: Weft\Http\WebSocket::ping(): Argument #1 ($data) must be at most 125 bytes
ValueError: Weft\Http\WebSocket::handOver(): Argument #1 ($method) must be a public static method, "Class::method"
ValueError: Weft\Http\WebSocket::handOver(): Argument #3 ($restartCode) must be 1000 to 1003, 1007 to 1014, or 3000 to 4999
Weft\Http\WebSocketException: Another coroutine waits for the next message of this WebSocket
There is no request here whose WebSocket could be accepted
exit status 0
