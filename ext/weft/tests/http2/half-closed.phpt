--TEST--
HTTP/2: a client that sends no more gets all of its answers, and then the connection ends
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$server = new Server(<<<'PHP'
    if (isset($_GET['wait'])) {
        Async\delay((int) $_GET['wait']);
        echo $_GET['wait'];
        return;
    }
    foreach (['one', 'two', 'three'] as $part) {
        echo $part;
        flush();
        Async\delay(5);
    }
    PHP, ['h2_streams' => 10]);
$client = new H2Client($server);
$client->send(H2::get(1, '/?wait=120'), H2::get(3, '/?wait=60'), H2::get(5), H2::post(7), H2::get(9, '/?wait=180'));
stream_socket_shutdown($client->client->socket, STREAM_SHUT_WR);
$told = $client->until('closed');
// what leaves in one round leaves in one frame
$of = fn (int $id): string => preg_replace('/" \d+: "/', '', implode(' ', preg_grep("/^$id: /", $told))) . "\n";
foreach ([1, 3, 5, 7, 9] as $id) {
    echo $of($id);
}
echo implode(' ', preg_grep('/^\d/', $told, PREG_GREP_INVERT)), "\n\n";

// nothing has been asked for
$client = new H2Client($server);
stream_socket_shutdown($client->client->socket, STREAM_SHUT_WR);
echo implode(' ', $client->until('closed')), "\n\n";

// the server ends meanwhile: what was said is not taken back
$client = new H2Client($server);
$client->send(H2::get(1, '/?wait=300'));
stream_socket_shutdown($client->client->socket, STREAM_SHUT_WR);
echo $client->next(), "\n";
$server->signal(15);
echo implode("\n", $client->until('closed')), "\n";
echo $server->stop();
--EXPECT--
1: 200 1: "120" (end)
3: 200 3: "60" (end)
5: 200 5: "onetwothree" (end)
7: RST_STREAM REFUSED_STREAM
9: 200 9: "180" (end)
GOAWAY NO_ERROR closed

closed

GOAWAY NO_ERROR
1: 200
1: "300" (end)
closed
exit status 0
