--TEST--
Messages of one WebSocket that wait already take turns with those of others, as requests do: a loop over them does not go on for a time slice
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$go = tempnam(sys_get_temp_dir(), 'weft-test-');
unlink($go);
$server = new Server('
    if ($_SERVER["REQUEST_URI"] === "/page") {
        fwrite(STDOUT, "page\n");
        return;
    }
    foreach (Weft\Http\WebSocket::accept() as $message) {
        for (; $message === "wait" && !file_exists("' . $go . '"); clearstatcache()) {
            Async\delay(5);
        }
        for ($until = hrtime(true) + 3e6; hrtime(true) < $until;);
        fwrite(STDOUT, "$message\n");
    }
', [], ['weft.time_slice=100']);
$all = [];
foreach (['a', 'b', 'c'] as $name) {
    $all[] = $client = new WsClient($server);
    $client->send(Ws::text('wait'), ...array_map(static fn (int $n): string => Ws::text("$name$n"), range(1, 20)));
}
usleep(100_000);
touch($go);
for ($lines = []; count($lines) < 64;) {
    $line = trim($server->line());
    $lines[] = $line;
    if ($line === 'a2') {
        $page = $server->connect()->send("GET /page HTTP/1.1\r\nHost: a\r\n\r\n");
    }
}
$longest = $run = 1;
foreach (array_slice(array_values(array_diff($lines, ['wait', 'page'])), 0, 57) as $n => $line) {
    $run = $n > 0 && $line[0] === $before ? $run + 1 : 1;
    $longest = max($longest, $run);
    $before = $line[0];
}
echo "at most $longest of one client in a row\n";
echo in_array('page', array_slice($lines, 0, 50), true) ? "a page had its turn\n" : "a page waited\n";
echo implode(' ', array_filter($lines, static fn (string $line): bool => $line[0] === 'b')), "\n";
unset($all, $page, $client);
unlink($go);
echo $server->stop();
?>
--EXPECT--
at most 1 of one client in a row
a page had its turn
b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 b16 b17 b18 b19 b20
exit status 0
