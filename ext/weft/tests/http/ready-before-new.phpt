--TEST--
Who has begun goes on before others begin, when there are as many of them as weft.http_ready says; one who computes for long keeps nobody waiting
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = '
    if (isset($_GET["compute"])) {
        // until all others have asked
        for ($until = hrtime(true) + 1e9 * $_GET["compute"]; hrtime(true) < $until;);
        fwrite(STDOUT, "computed\n");
        return;
    }
    fwrite(STDOUT, "begin {$_GET["n"]}\n");
    for ($turn = 0; $turn < 3; $turn++) {
        Async\suspend();
    }
    fwrite(STDOUT, "end {$_GET["n"]}\n");
';
$order = function (array $ini, float $compute) use ($handler): string {
    $server = new Server($handler, [], $ini);
    $clients = [$server->connect()->send("GET /?compute=$compute HTTP/1.1\r\nHost: a\r\n\r\n")];
    usleep(100_000);
    for ($n = 1; $n <= 3; $n++) {
        $clients[] = $server->connect()->send("GET /?n=$n HTTP/1.1\r\nHost: a\r\n\r\n");
        usleep(10_000);
    }
    $said = [];
    while (count($said) < 7) {
        $said[] = trim($server->line());
    }
    $answered = array_map(fn (Client $client) => $client->response()->status, array_slice($clients, 1));
    $clients[0]->response();

    return implode(', ', $said) . ': ' . implode(' ', $answered) . ', ' . $server->stop();
};

// nobody loses the turn: the others have all come when the first ends
echo $order(['weft.http_ready=1', 'weft.time_slice=0'], 0.5);
echo $order(['weft.http_ready=0', 'weft.time_slice=0'], 0.5);
// the first loses it, and does not count when it has computed for 250 ms
echo $order(['weft.http_ready=1'], 3);
?>
--EXPECT--
computed, begin 1, end 1, begin 2, end 2, begin 3, end 3: 200 200 200, exit status 0
computed, begin 1, begin 2, begin 3, end 1, end 2, end 3: 200 200 200, exit status 0
begin 1, end 1, begin 2, end 2, begin 3, end 3, computed: 200 200 200, exit status 0
