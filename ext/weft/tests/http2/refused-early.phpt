--TEST--
HTTP/2: who is refused before the request has come may finish it, up to a limit, and is reset when the answer has arrived
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$server = new Server('echo "hello";', ['h2_window' => 65535, 'h2_streams' => 3], ['post_max_size=1000']);
$client = new H2Client($server);
$client->send(H2::post(1, ['content-length' => '9000000']));
$refused = 'The request body has %d bytes; the limit is 1000 (post_max_size).\n" (end)';
echo implode("\n", $client->until(sprintf("1: \"$refused", 9_000_000))), "\n";
echo implode("\n", $client->told()), "\n";

// as much as it may, until it may no more
$asked = 65535;
$sent = 0;
do {
    while ($asked > $sent) {
        $piece = min(16384, $asked - $sent);
        $client->send(H2::data(1, str_repeat('x', $piece), 0));
        $sent += $piece;
    }
    // a ping's answer overtakes what else is ready to be sent, so what is ready comes before the second one's
    foreach (['first', 'second'] as $ping) {
        $client->send(H2::ping());
        do {
            $frame = $client->frame();
            if ($frame['type'] === H2::WINDOW_UPDATE && $frame['stream'] === 1) {
                $asked += unpack('N', $frame['payload'])[1];
            }
        } while ($frame['type'] !== H2::PING);
    }
} while ($asked > $sent);
echo $sent >= 1 << 20 && $sent <= (1 << 20) + 65535 ? 'a megabyte' : "$sent bytes", "\n\n";

// beside it, as many as there may be
$client->send(H2::post(3, ['content-length' => '2000']), H2::post(5, ['content-length' => '2000']));
echo implode("\n", $client->until(sprintf("5: \"$refused", 2000))), "\n";
$client->send(H2::get(7));
echo implode("\n", $client->told()), "\n\n";

// one that ends needs no reset
$client->send(H2::data(3, str_repeat('x', 2000)));
echo implode("\n", $client->told()), "\n";
$client->send(H2::get(9));
echo implode("\n", $client->until('9: "hello" (end)')), "\n\n";

echo implode("\n", $client->until('5: RST_STREAM NO_ERROR')), "\n";
echo strtok($server->stop(), "\n"), "\n";
--EXPECT--
1: 413
1: "The request body has 9000000 bytes; the limit is 1000 (post_max_size).\n" (end)

a megabyte

3: 413
5: 413
3: "The request body has 2000 bytes; the limit is 1000 (post_max_size).\n" (end)
5: "The request body has 2000 bytes; the limit is 1000 (post_max_size).\n" (end)
7: RST_STREAM REFUSED_STREAM


9: 200
9: "hello" (end)

1: RST_STREAM NO_ERROR
5: RST_STREAM NO_ERROR
exit status 0
