--TEST--
New clients get in while connections that are kept ask again and again: each has its turn in every round of the queue
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    for ($until = hrtime(true) + 2e6; hrtime(true) < $until;);
    echo $_GET["n"];
', ['concurrency' => 1]);
$ask = "GET /?n=%d HTTP/1.1\r\nHost: a\r\n\r\n";

// closed loops: as soon as a connection has its response it asks again
$clients = $answered = [];
for ($n = 0; $n < 24; $n++) {
    $clients[$n] = stream_socket_client("tcp://127.0.0.1:$server->port");
    $answered[$n] = 0;
}
$first = null; // how many responses there were in all when the last client had its first
foreach ($clients as $n => $client) {
    fwrite($client, sprintf($ask, $n));
}
for ($all = 0; $all < 2400;) {
    [$read, $write, $except] = [$clients, null, null];
    if (!stream_select($read, $write, $except, 20)) {
        exit("no response\n");
    }
    foreach ($read as $n => $client) {
        $all++;
        $answered[$n]++;
        fread($client, 8192);
        fwrite($client, sprintf($ask, $n));
    }
    $first ??= min($answered) > 0 ? $all : null;
}
echo $first < 300 ? "all have been served soon\n" : "the last client was served after $first responses\n";
echo min($answered) >= max($answered) / 2 ? "evenly\n" : 'least ' . min($answered) . ', most ' . max($answered) . "\n";
array_map('fclose', $clients);
echo $server->stop();
?>
--EXPECT--
all have been served soon
evenly
exit status 0
