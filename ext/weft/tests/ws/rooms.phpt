--TEST--
What is published in a room reaches each of its sockets once
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/rooms.inc';

$server = new Server(RoomClient::SERVED, ini: ['weft.ws_close=100']);
[$a, $b, $c] = [new RoomClient($server), new RoomClient($server), new RoomClient($server)];
function all(): string
{
    global $a, $b, $c;
    return "a: {$a->heard()}; b: {$b->heard()}; c: {$c->heard()}\n";
}

$a->run('$socket->subscribe("red"); $socket->subscribe("blue"); $socket->subscribe("red");');
$b->run('$socket->subscribe("red");');
echo json_encode([$a->run('return $socket->rooms();'), $b->run('return $socket->rooms();'), $c->run('return $socket->rooms();')]), "\n";

$c->run('Weft\Http\WebSocket::publish("red", "to red");');
echo all();
$c->run('Weft\Http\WebSocket::publish(["red", "green", "blue", "red"], "to all");');
echo all();
$c->run('Weft\Http\WebSocket::publish(["red", "blue"], "to others", false, "' . $a->id . '");');
echo all();
$a->run('Weft\Http\WebSocket::publish("red", "\x00\xff", true);');
echo bin2hex($b->heard()), ' ', bin2hex($a->heard()), "\n";
$c->run('Weft\Http\WebSocket::publish("nowhere", "lost"); Weft\Http\WebSocket::publish([], "lost");');
echo all();

echo "order: ";
$c->run('foreach (range(1, 9) as $n) { Weft\Http\WebSocket::publish($n % 2 ? "red" : "blue", "$n"); }');
echo all();

echo json_encode($b->run('return Weft\Http\WebSocket::count();')), ' ', json_encode($b->run('return Weft\Http\WebSocket::count("b");')), "\n";
echo json_encode($b->run('return [Weft\Http\WebSocket::count("red", exact: true), Weft\Http\WebSocket::count("re", true), Weft\Http\WebSocket::count("", true)];')), "\n";

$a->run('$socket->unsubscribe("red"); $socket->unsubscribe("never");');
$c->run('Weft\Http\WebSocket::publish("red", "to b"); Weft\Http\WebSocket::publish("blue", "to a");');
echo all();

$c->run('Weft\Http\WebSocket::closeAll("red", 4001, "go");');
echo $b->frame(), "\n";
echo json_encode($c->run('return Weft\Http\WebSocket::count();')), "\n";
$a->hangUp();
do {
    $count = json_encode($c->run('Async\delay(1); return Weft\Http\WebSocket::count();'));
} while ($count !== '[]');
echo $count, "\n";
echo $server->stop();
?>
--EXPECT--
[["red","blue"],["red"],[]]
a: to red; b: to red; c: -
a: to all; b: to all; c: -
a: -; b: to others; c: -
62696e6172792000ff 62696e6172792000ff
a: -; b: -; c: -
order: a: 1, 2, 3, 4, 5, 6, 7, 8, 9; b: 1, 3, 5, 7, 9; c: -
{"blue":1,"red":2} {"blue":1}
[{"red":2},[],[]]
a: to a; b: to b; c: -
closed 4001 go
{"blue":1}
[]
exit status 0
