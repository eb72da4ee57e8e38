--TEST--
What is published in a huge room goes out in turns, and so does its end: others go on in between, and who comes or leaves meanwhile is told right
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/rooms.inc';

const OTHERS = 511; // as many as have their turn together, but one: $me has it in the next turn

$server = new Server(RoomClient::SERVED, ini: ['weft.time_slice=0']);
$me = new RoomClient($server);
$me->run('$socket->subscribe("few"); $socket->subscribe("all"); $socket->subscribe("end");');
for ($i = 0; $i < OTHERS; $i++) {
    $others[] = $other = new RoomClient($server);
    $other->run('$socket->subscribe("all"); $socket->subscribe("end");');
}
// who has joined last is served first: in the server's process, where $me sees it at once
$me->run('require ' . var_export(__DIR__ . '/ws.inc', true) . ";
    \$first = new WsClient($server->port);
    \$first->send(Ws::text('\$socket->subscribe(\"all\"); \$socket->subscribe(\"end\");'))->next();");

/**
 * What comes to $me of "news", and of "more", which is published when the first has that; and, as "first: news", that it
 * has it when $me, who looks in each round of the reactor, has a turn. In that turn the code runs.
 */
function publish(string $rooms, string $code = ''): string
{
    global $me;
    $me->run(<<<PHP
        \$done = 0;
        \$publish = function (string \$text) use (&\$done) {
            Async\spawn(function () use (&\$done, \$text) { Weft\Http\WebSocket::publish($rooms, \$text); \$done++; });
        };
        \$publish('news');
        while (\$done < 2) {
            Async\delay(0);
            if (\$first->has() && \$first->frame()[2] === 'news') {
                \$socket->send('first: news');
                \$publish('more');
                $code
            }
        }
        PHP);
    return $me->heard();
}

echo 'in turns: ', publish('"all"'), "\n";
echo 'twice, and leaves where it has had it: ', publish('["few", "all"]', '$socket->unsubscribe("few");'), "\n";
echo 'leaves: ', publish('"all"', '$socket->unsubscribe("all");'), "\n";
echo 'comes: ', publish('"all"', '$socket->subscribe("all");'), "\n";
echo 'is there: ', publish('"all"'), "\n";
foreach ([0, OTHERS - 1] as $i) {
    echo $others[$i]->heard(), "\n";
}

$me->send(<<<'PHP'
    Async\spawn(fn () => Weft\Http\WebSocket::closeAll('end', 4001, 'go'));
    while (!$first->has()) {
        Async\delay(0);
    }
    $socket->send('first: ' . $first->next());
    PHP);
echo 'closed: ', $me->frame(), ', ', $me->frame(), ', ', $me->frame(), "\n";
echo $others[0]->frame(), ', ', $others[OTHERS - 1]->frame(), "\n";
foreach ([$me, ...$others] as $client) {
    $client->hangUp();
}
echo $server->stop();
?>
--EXPECT--
in turns: first: news, news, more
twice, and leaves where it has had it: news, first: news, more
leaves: first: news
comes: first: news, more
is there: news, first: news, more
news, more, news, more, news, more, news, more, news, more
news, more, news, more, news, more, news, more, news, more
closed: first: close 4001 "go", = null, closed 4001 go
closed 4001 go, closed 4001 go
exit status 0
