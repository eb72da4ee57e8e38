--TEST--
Requests of a route that usually computes for longer than a slice begin one after the other, beside short ones, and not while they wait for something
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$go = tempnam(sys_get_temp_dir(), 'weft-test-');
$server = new Server('
    $cpu = static fn (): int => (int) (1000 * array_sum(array_map(
        static fn (string $which) => getrusage()["ru_$which.tv_sec"] + getrusage()["ru_$which.tv_usec"] / 1e6,
        ["utime", "stime"],
    )));
    [, $kind, $n] = explode("/", $_SERVER["REQUEST_URI"]) + [2 => ""];
    fwrite(STDOUT, "begin $kind $n\n");
    for ($end = $cpu() + (["long" => 16, "waits" => 16][$kind] ?? 0); $cpu() < $end;) {
        for ($i = 0; $i < 200; $i++);
    }
    while ($kind === "waits" && $n > 0 && !file_exists("' . $go . '")) {
        Async\delay(1);
        clearstatcache();
    }
    fwrite(STDOUT, "end $kind $n\n");
', [], ['weft.time_slice=2']);
unlink($go);
$clients = array_map(fn (): Client => $server->connect(), range(0, 8));
$ask = static fn (int $client, string $path): Client => $clients[$client]->send("GET /$path HTTP/1.1\r\nHost: a\r\n\r\n");
$line = static fn (): string => trim($server->line());
foreach ($clients as $n => $client) { // known to the server: new ones would be left to others for a moment
    foreach (['short', ...($n === 0 ? ['long', 'waits'] : [])] as $kind) {
        $ask($n, "$kind/0")->response();
        $line();
        $line();
    }
}
/** What is written from now on, when all have asked at once. */
$at_once = static function (array $paths, ?int $go_after = null) use ($server, $ask, $line, $clients, $go): array {
    $server->signal(19);
    foreach ($paths as $client => $path) {
        $ask($client, $path);
    }
    $server->signal(18);
    for ($said = []; count($said) < 2 * count($paths);) {
        if (count($said) === $go_after) {
            touch($go);
        }
        $said[] = $line();
    }
    foreach ($paths as $client => $path) {
        $clients[$client]->response();
    }
    return $said;
};
$most = static function (array $said, string $kind): string {
    for ($running = $most = 0; $said; $most = max($most, $running)) {
        [$what, $which] = explode(' ', array_shift($said));
        $running += $which === $kind ? ($what === 'begin' ? 1 : -1) : 0;
    }
    return "$most $kind at once at most";
};

$said = $at_once(['long/1', 'long/2', 'long/3', 'long/4', 'short/1', 'short/2']);
echo $most($said, 'long'), "\n";
echo array_search('end short 2', $said) < array_search('begin long 3', $said) ? "short ones pass\n" : implode(', ', $said) . "\n";

// each waits until all have begun
echo $most($at_once(['waits/1', 'waits/2', 'waits/3', 'waits/4'], 4), 'waits'), "\n";

echo $server->stop();
?>
--EXPECT--
1 long at once at most
short ones pass
4 waits at once at most
exit status 0
