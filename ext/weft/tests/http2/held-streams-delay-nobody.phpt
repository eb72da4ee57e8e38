--TEST--
A stream that is held when its turn comes does not count as the request that begins although others can go on
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

const CLIENTS = 16;
const BUSY = 6;

$base = tempnam(sys_get_temp_dir(), 'weft-test-');
$server = new Server('
    $cpu = static fn (): float => array_sum(array_map(
        static fn (string $which) => getrusage()["ru_$which.tv_sec"] + getrusage()["ru_$which.tv_usec"] / 1e6,
        ["utime", "stime"],
    ));
    $wait = static function (string $what): void {
        for (fwrite(STDOUT, "waits\n"); !file_exists("' . $base . '-$what"); clearstatcache()) {
            Async\delay(2);
        }
    };
    switch ($_SERVER["REQUEST_URI"]) {
        case "/fill":
            $wait("fill");
            echo str_repeat("x", 300_000);
            return;
        case "/busy": // always ready, and none for so long that nobody waits for it
            $wait("busy");
            for ($begin = $cpu(); $cpu() < $begin + 1.2 && !file_exists("' . $base . '-end"); Async\suspend()) {
                for ($i = 0; $i < 500; $i++);
                clearstatcache();
            }
            fwrite(STDOUT, "has computed\n");
            return;
    }
    fwrite(STDOUT, "begins\n");
', [], ['weft.http2_buffer=65536']);
$crowded = [];
for ($n = 0; $n < CLIENTS; $n++) {
    $crowded[] = $client = new H2Client($server, [4 => 0]);
    $client->send(H2::get(1, '/fill'));
    $server->line();
}
for ($n = 0; $n < BUSY; $n++) {
    $busy[] = $server->connect()->send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n");
    $server->line();
}
$last = $server->connect();
$last->send("GET /last HTTP/1.1\r\nHost: a\r\n\r\n")->response();
$server->line();

touch("$base-busy");
usleep(20_000); // they are all ready
$server->signal(19);
foreach ($crowded as $client) {
    $client->send(H2::get(3, '/held'));
}
$last->send("GET /last HTTP/1.1\r\nHost: a\r\n\r\n");
touch("$base-fill");
$server->signal(18);
echo $server->line();
touch("$base-end");
$last->response();
foreach ($busy as $client) {
    $client->response();
}
array_map('unlink', [$base, "$base-fill", "$base-busy", "$base-end"]);
unset($crowded, $client);
echo str_contains($server->stop(), 'exit status 0') ? "exit status 0\n" : "it failed\n";
?>
--EXPECT--
begins
exit status 0
