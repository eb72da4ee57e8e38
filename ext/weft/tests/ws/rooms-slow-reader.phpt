--TEST--
Who reads a room too slowly is closed with 1013, and holds up nobody
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/rooms.inc';

$server = new Server(RoomClient::SERVED, ini: ['weft.ws_buffer=64K', 'weft.bus_buffer=256K']);
[$slow, $quick, $other] = [new RoomClient($server), new RoomClient($server), new RoomClient($server)];
$slow->run('$socket->subscribe("room");');
$quick->run('$socket->subscribe("room");');

for ($heard = 0; $heard < 200; $heard++) {
    $other->run('Weft\Http\WebSocket::publish("room", str_repeat("a", 65536));');
    if ($quick->frame() !== str_repeat('a', 65536)) {
        break;
    }
}
echo "$heard\n";
for ($heard = 0; ($frame = $slow->frame()) === str_repeat('a', 65536); $heard++) {
}
echo $heard < 200 ? 'fewer' : 'all', ", $frame\n";
echo json_encode($other->run('return Weft\Http\WebSocket::count("room");')), "\n";
foreach ([$slow, $quick, $other] as $client) {
    $client->hangUp();
}
echo $server->stop();
?>
--EXPECT--
200
fewer, closed 1013 messages come faster than this client reads them
{"room":1}
exit status 0
