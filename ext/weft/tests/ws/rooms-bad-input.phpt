--TEST--
What rooms refuse, and what they say
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/rooms.inc';

try {
    Weft\Http\WebSocket::publish('room', 'hello');
} catch (Weft\Http\WebSocketException $e) {
    echo $e->getMessage(), "\n";
}
foreach (['members("room")', 'count()', 'closeAll("room", 1000)'] as $call) {
    try {
        eval("Weft\Http\WebSocket::$call;");
    } catch (Weft\Http\WebSocketException $e) {
        echo "$call: ", substr($e->getMessage(), 0, 25), "\n";
    }
}

$server = new Server(RoomClient::SERVED, ini: ['weft.ws_rooms=2', 'weft.bus_buffer=64K', 'weft.ws_close=100']);
$client = new RoomClient($server);
// in a callback of output; five are more than twice weft.bus_buffer
$publishWhereNothingWaits = <<<'PHP'
    ob_start(function () use (&$said) {
        try {
            for ($n = 1; $n <= 6; $n++) {
                Weft\Http\WebSocket::publish("nowhere", str_repeat("a", 30000));
            }
        } catch (Weft\Http\WebSocketException $e) {
            $said = "message $n: " . $e->getMessage();
        }
    });
    ob_end_clean();
    return $said;
    PHP;
foreach ([
    '$socket->subscribe("");',
    '$socket->subscribe(str_repeat("a", 201));',
    '$socket->subscribe("room", "");',
    '$socket->subscribe("room", str_repeat("a", 201));',
    '$socket->subscribe("room", "me", str_repeat("a", 16385));',
    '$socket->subscribe("room", null, "about", "joined");',
    '$socket->subscribe("room", null, left: "left");',
    '$socket->subscribe("room", "me", "", "\xff");',
    '$socket->subscribe("room", "me", "\xff", "joined", "\xff");',
    'Weft\Http\WebSocket::publish("", "text");',
    'Weft\Http\WebSocket::publish(["room", 5], "text");',
    'Weft\Http\WebSocket::publish(["room", ""], "text");',
    'Weft\Http\WebSocket::publish("room", "\xff");',
    'Weft\Http\WebSocket::publish("room", str_repeat("a", 65536));',
    'Weft\Http\WebSocket::publish("room", "text", false, "me");',
    'Weft\Http\WebSocket::publish("room", "text", false, "1.2 ");',
    'Weft\Http\WebSocket::closeAll("room", 1005);',
    'Weft\Http\WebSocket::closeAll("room", 4000, str_repeat("a", 124));',
    $publishWhereNothingWaits,
    'return [Weft\Http\WebSocket::count(str_repeat("a", 1000)), Weft\Http\WebSocket::members("")];',
    '$socket->subscribe(str_repeat("a", 200)); $socket->subscribe("two"); $socket->subscribe("two"); $socket->subscribe("three");',
    'return count($socket->rooms());',
] as $code) {
    $answer = $client->run($code);
    echo is_string($answer) ? preg_replace('/^.*?(Error|Exception): (Weft.Http.WebSocket::)?/', '', $answer) : json_encode($answer), "\n";
}
$client->run('$socket->close(); try { $socket->subscribe("late"); } catch (Throwable $e) { fprintf(STDERR, "%s\n", $e::class); }');
echo $server->stop();
?>
--EXPECT--
This process is no worker of a Weft server: it has no part in its rooms
members("room"): This process is no worker
count(): This process is no worker
closeAll("room", 1000): This process is no worker
subscribe(): Argument #1 ($room) must be the name of a room: 1 to 200 bytes
subscribe(): Argument #1 ($room) must be the name of a room: 1 to 200 bytes
subscribe(): Argument #2 ($member) must be the name of a member: 1 to 200 bytes
subscribe(): Argument #2 ($member) must be the name of a member: 1 to 200 bytes
subscribe(): Argument #3 ($about) must be of at most 16384 bytes: all workers keep it
subscribe(): Argument #3 ($about) must be empty without a member: it is what a room tells of one
subscribe(): Argument #5 ($left) must be empty without a member: it is what a room tells of one
subscribe(): Argument #4 ($joined) must be valid UTF-8: it is sent as text
subscribe(): Argument #5 ($left) must be valid UTF-8: it is sent as text
publish(): Argument #1 ($rooms) must be the name of a room: 1 to 200 bytes
publish(): Argument #1 ($rooms) must be a list of names of rooms: strings of 1 to 200 bytes
publish(): Argument #1 ($rooms) must be a list of names of rooms: strings of 1 to 200 bytes
publish(): Argument #2 ($message) must be valid UTF-8, or be sent as binary
A message of 65536 bytes, with the names of its rooms, does not fit into weft.bus_buffer (65536)
publish(): Argument #4 ($except) must be the id of a WebSocket, or null
publish(): Argument #4 ($except) must be the id of a WebSocket, or null
closeAll(): Argument #2 ($code) must be 1000 to 1003, 1007 to 1014, or 3000 to 4999
closeAll(): Argument #3 ($reason) must be valid UTF-8 of at most 123 bytes
message 6: More is on its way to the other workers than may be (weft.bus_buffer), and nothing can wait here
[[],[]]
The WebSocket is in as many rooms as it may be (weft.ws_rooms)
2
exit status 0
Weft\Http\WebSocketClosed
