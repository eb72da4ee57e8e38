--TEST--
Who has begun goes on before others begin, when there are as many of them as weft.http_ready says; one who computes for long keeps nobody waiting
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$enough = tempnam(sys_get_temp_dir(), 'weft-test-');
$handler = '
    if (isset($_GET["compute"])) {
        fwrite(STDOUT, "computes\n");
        while (!file_exists("' . $enough . '")) {
            clearstatcache();
        }
        fwrite(STDOUT, "computed\n");
        return;
    }
    fwrite(STDOUT, "begin {$_GET["n"]}\n");
    for ($turn = 0; $turn < 3; $turn++) {
        Async\suspend();
    }
    fwrite(STDOUT, "end {$_GET["n"]}\n");
';
$order = function (array $ini, int $enoughAfter) use ($handler, $enough): string {
    @unlink($enough);
    $server = new Server($handler, [], $ini);
    $clients = [$server->connect()->send("GET /?compute HTTP/1.1\r\nHost: a\r\n\r\n")];
    $said = [trim($server->line())];
    for ($n = 1; $n <= 3; $n++) {
        $clients[] = $server->connect()->send("GET /?n=$n HTTP/1.1\r\nHost: a\r\n\r\n");
        usleep(10_000);
    }
    while (count($said) < 8) {
        if (count($said) === $enoughAfter) {
            touch($enough);
        }
        $said[] = trim($server->line());
    }
    $answered = array_map(fn (Client $client) => $client->response()->status, array_slice($clients, 1));
    $clients[0]->response();

    return implode(', ', $said) . ': ' . implode(' ', $answered) . ', ' . $server->stop();
};

// nobody loses the turn: the others have all come when the first ends
echo $order(['weft.http_ready=1', 'weft.time_slice=0'], 1);
echo $order(['weft.http_ready=0', 'weft.time_slice=0'], 1);
// the first loses it, and does not count when it has computed for 250 ms
echo $order(['weft.http_ready=1'], 7);
unlink($enough);
?>
--EXPECT--
computes, computed, begin 1, end 1, begin 2, end 2, begin 3, end 3: 200 200 200, exit status 0
computes, computed, begin 1, begin 2, begin 3, end 1, end 2, end 3: 200 200 200, exit status 0
computes, begin 1, end 1, begin 2, end 2, begin 3, end 3, computed: 200 200 200, exit status 0
