--TEST--
A room tells of its members: the first socket of one joins, the last leaves
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/rooms.inc';

$server = new Server(RoomClient::SERVED, ini: ['weft.ws_close=100']);
$watcher = new RoomClient($server);
$watcher->run('$socket->subscribe("chat");');
function join_chat(string $name, string $about = ''): RoomClient
{
    global $server;
    $client = new RoomClient($server);
    $client->run("\$socket->subscribe('chat', '$name', '$about', '$name joins', '$name leaves');");
    return $client;
}
function members(): string
{
    global $watcher;
    return json_encode($watcher->run('return Weft\Http\WebSocket::members("chat");')) . "\n";
}

echo members();
$ann = join_chat('ann', 'eldest');
$bob = join_chat('7');
$again = join_chat('ann', 'not kept');
echo members();
echo "watcher: {$watcher->heard()}; ann: {$ann->heard()}; bob: {$bob->heard()}; ann again: {$again->heard()}\n";

$ann->run('$socket->unsubscribe("chat");');
echo "one of ann's has left: {$watcher->heard()}\n";
$again->hangUp();
while (str_contains(members(), 'ann')) {
}
echo "the other is gone: {$watcher->heard()}; bob: {$bob->heard()}; ", members();

echo "again in at once: ";
$bob->run('$socket->unsubscribe("chat"); $socket->subscribe("chat", "7", "second", "7 joins again", "");');
echo $watcher->heard(), '; bob: ', $bob->heard(), '; ', members();
$bob->run('$socket->unsubscribe("chat");');
echo $watcher->heard(), '; ', members();

echo "another member by the same socket: ";
$bob->run('$socket->subscribe("chat", "bob"); $socket->subscribe("chat", "rob"); $socket->subscribe("chat");');
echo members();
echo $server->stop();
?>
--EXPECT--
[]
{"ann":"eldest","7":""}
watcher: ann joins, 7 joins; ann: 7 joins; bob: -; ann again: -
one of ann's has left: -
the other is gone: ann leaves; bob: ann leaves; {"7":""}
again in at once: 7 leaves, 7 joins again; bob: -; {"7":"second"}
-; []
another member by the same socket: {"bob":""}
exit status 0
