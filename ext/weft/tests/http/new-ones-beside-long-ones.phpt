--TEST--
While requests compute in turns, as many new ones have their first turn in each round, not one
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$end = tempnam(sys_get_temp_dir(), 'weft-test-');
$server = new Server('
    $name = substr($_SERVER["REQUEST_URI"], 1);
    do {
        for ($i = 0; $name[0] !== "p" && $i < 20_000; $i++);
        fwrite(STDOUT, "$name\n");
        clearstatcache();
    } while ($name[0] === "l" && file_exists("' . $end . '"));
');
$ask = static fn (Client $client, string $name): Client => $client->send("GET /$name HTTP/1.1\r\nHost: a\r\n\r\n");
$pages = $loops = [];
for ($n = 0; $n < 4; $n++) { // known to the server: new ones would be left to others for a moment
    $ask($pages[$n] = $server->connect(), 'known')->response();
    $server->line();
}
for ($n = 0; $n < 4; $n++) {
    $loops[] = $ask($server->connect(), "loop$n");
}
for ($seen = []; count($seen) < 4; $seen[$server->line()] = true);
$server->signal(19);
foreach ($pages as $n => $page) {
    $ask($page, "page$n");
}
$server->signal(18);
$turns = $answered = 0;
for ($before = ''; $answered < 4; $before = $line) {
    $line = $server->line();
    if ($line[0] === 'p') {
        $answered++;
    } elseif ($answered > 0 && $line !== $before) {
        $turns++; // of one that computes, between the first page and the last
    }
}
echo $turns <= 8 ? "soon\n" : "$turns turns of those that compute between the first page and the last\n";
unlink($end);
foreach ($loops as $loop) {
    while ($loop->response() === null);
}
// what it has printed meanwhile is of no interest
echo str_contains($server->stop(), 'exit status 0') ? "exit status 0\n" : "it failed\n";
?>
--EXPECT--
soon
exit status 0
