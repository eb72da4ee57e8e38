--TEST--
What is published in a huge room goes out in turns, and so does its end: others go on in between, and who comes or leaves meanwhile is told right
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/rooms.inc';

const OTHERS = 512; // as many as have their turn together: the first one of the next is $me

$server = new Server(RoomClient::SERVED);
$me = new RoomClient($server);
/** While it is published: "turn" goes to $me in each round of the reactor, and in the round of that number the code runs. */
function publish(string $rooms, int $when = 0, string $code = ''): array
{
    global $me;
    $me->run(<<<PHP
        \$done = 0;
        foreach (['news', 'more'] as \$text) {
            Async\\spawn(function () use (&\$done, \$text) { Weft\\Http\\WebSocket::publish($rooms, \$text); \$done++; });
        }
        for (\$round = 1; \$done < 2; \$round++) {
            \$socket->send('turn');
            if (\$round === $when) { $code }
            Async\\delay(0);
        }
        PHP);
    return explode(', ', $me->heard());
}
function messages(array $heard): string
{
    return implode(', ', array_diff($heard, ['turn'])) ?: 'nothing';
}

// who has joined last is served first
$me->run('$socket->subscribe("few"); $socket->subscribe("all");');
for ($i = 0; $i < OTHERS; $i++) {
    $others[] = $other = new RoomClient($server);
    $other->run('$socket->subscribe("all");');
}

$few = publish('"few"');
$rounds = array_search('news', $few);
$all = publish('"all"');
echo messages($few), '; ', messages($all), "\n";
echo array_search('news', $all) > $rounds ? "others had turns in between\n" : "nobody had a turn in between\n";
echo array_search('more', $all) > array_search('news', $all) + 1 ? "and before the next one\n" : "the next one came at once\n";

$between = $rounds + 1;
echo 'twice, and leaves where it has had it: ', messages(publish('["few", "all"]', $between, '$socket->unsubscribe("few");')), "\n";
echo 'leaves: ', messages(publish('"all"', $between, '$socket->unsubscribe("all");')), "\n";
echo 'comes: ', messages(publish('"all"', $between, '$socket->subscribe("all");')), "\n";
echo 'is there: ', messages(publish('"all"')), "\n";
foreach ([0, OTHERS - 1] as $i) {
    echo $others[$i]->heard(), "\n";
}

$me->run('$socket->unsubscribe("all");');
[$none, $huge] = array_map(fn (string $room) => $me->run(<<<PHP
    \$closed = false;
    Async\spawn(function () use (&\$closed) { Weft\Http\WebSocket::closeAll('$room', 4001, 'go'); \$closed = true; });
    for (\$rounds = 0; !\$closed; \$rounds++) { Async\delay(0); }
    return \$rounds;
    PHP), ['none', 'all']);
echo $huge > $none ? "others had turns while it was closed\n" : "it was closed at once\n";
echo $others[0]->frame(), ', ', $others[OTHERS - 1]->frame(), "\n";
foreach ([$me, ...$others] as $client) {
    $client->hangUp();
}
echo $server->stop();
?>
--EXPECT--
news, more; news, more
others had turns in between
and before the next one
twice, and leaves where it has had it: news, more
leaves: nothing
comes: more
is there: news, more
news, more, news, more, news, more, news, more, news, more
news, more, news, more, news, more, news, more, news, more
others had turns while it was closed
closed 4001 go, closed 4001 go
exit status 0
