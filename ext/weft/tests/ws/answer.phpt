--TEST--
A text that a socket has an answer for is answered without PHP, which gets everything else
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    foreach ([[str_repeat('a', 1025), ''], ['', "\xff"]] as [$message, $answer]) {
        try {
            $socket->answer($message, $answer);
        } catch (ValueError $e) {
            $socket->send($e->getMessage());
        }
    }
    $socket->answer(str_repeat('b', 1024), str_repeat('c', 1024));
    $socket->answer('never', 'mind');
    $socket->answer('ping', 'pong');
    if ($_SERVER['REQUEST_URI'] === '/handed-over') {
        $socket->handOver('Taker::take');
        return;
    }
    foreach ($socket as $kind => $message) {
        $socket->send("$kind $message");
        if ($message === 'other') {
            $socket->answer('ping', 'another pong');
        }
    }
    PHP, [], [], <<<'PHP'
    final class Taker
    {
        public static function take(Weft\Http\WebSocket $socket, string $event, string $data): void
        {
            $socket->trySend("$event $data");
        }
    }
    PHP);

foreach (['/', '/handed-over'] as $path) {
    $client = new WsClient($server, $path);
    echo "$path\n{$client->next()}\n{$client->next()}\n";
    // also in pieces, and several at once
    $client->send(Ws::text('ping'), Ws::text('ping'), Ws::frame(Ws::TEXT, 'pi', 0), Ws::frame(Ws::CONTINUATION, 'ng'));
    echo $client->next(), ' ', $client->next(), ' ', $client->next(), "\n";
    foreach (['pin', 'pings', 'never', ''] as $text) {
        echo $client->send(Ws::text($text))->next(), "\n";
    }
    echo $client->send(Ws::frame(Ws::BINARY, 'ping'))->next(), "\n";
    $kept[] = $client;
}
echo "sockets have their own\n";
echo $kept[0]->send(Ws::text('other'))->next(), ', ', $kept[0]->send(Ws::text('ping'))->next(), ', ', $kept[1]->send(Ws::text('ping'))->next(), "\n";
foreach ($kept as $client) {
    $client->send(Ws::close(1000));
    echo $client->all(), "\n";
}
echo $server->stop();
?>
--EXPECT--
/
text "Weft\\Http\\WebSocket::answer(): Argument #1 ($message) must be valid UTF-8 of at most 1024 bytes"
text "Weft\\Http\\WebSocket::answer(): Argument #2 ($answer) must be valid UTF-8 of at most 1024 bytes"
text "pong" text "pong" text "pong"
text "text pin"
text "text pings"
text "text never"
text "text "
text "binary ping"
/handed-over
text "Weft\\Http\\WebSocket::answer(): Argument #1 ($message) must be valid UTF-8 of at most 1024 bytes"
text "Weft\\Http\\WebSocket::answer(): Argument #2 ($answer) must be valid UTF-8 of at most 1024 bytes"
text "pong" text "pong" text "pong"
text "text pin"
text "text pings"
text "text never"
text "text "
text "binary ping"
sockets have their own
text "text other", text "another pong", text "pong"
close 1000, closed
close 1000, closed
exit status 0
