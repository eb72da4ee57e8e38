--TEST--
Who has waited and can go on goes before who is new, so that those who have begun end while others wait to begin; those that are always ready keep nobody out for ever
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = '
    $compute = function (float $ms): void {
        for ($until = hrtime(true) + 1e6 * $ms; hrtime(true) < $until;);
    };
    if ($_SERVER["REQUEST_URI"] === "/first") {
        $compute(500); // until all others have asked
        return;
    }
    if ($_SERVER["REQUEST_URI"] === "/always") {
        fwrite(STDOUT, "always\n");
        $cpu = fn (): int => getrusage()["ru_utime.tv_sec"] * 1000 + intdiv(getrusage()["ru_utime.tv_usec"], 1000);
        $long = $cpu() + 900;
        for ($until = hrtime(true) + 60e9; hrtime(true) < $until && !file_exists(__STOP__); clearstatcache()) {
            $compute(0.1);
            Async\suspend();
            if ($long > 0 && $cpu() > $long) {
                fwrite(STDOUT, "long\n");
                $long = 0;
            }
        }
        echo file_exists(__STOP__) ? "told to end" : "alone for ever";
        return;
    }
    fwrite(STDOUT, "begin {$_GET["n"]}\n");
    $compute(3);
    Async\delay($_GET["delay"] ?? 1);
    $compute(3);
    fwrite(STDOUT, "end {$_GET["n"]}\n");
';
$stop = sys_get_temp_dir() . '/weft-test-' . getmypid();
$server = new Server(str_replace('__STOP__', var_export($stop, true), $handler), [], ['weft.time_slice=0']);
$ask = fn (string $path): Client => $server->connect()->send("GET $path HTTP/1.1\r\nHost: a\r\n\r\n");

$clients = [$ask('/first')];
usleep(100_000);
for ($n = 1; $n <= 6; $n++) {
    $clients[] = $ask("/?n=$n");
    usleep(10_000);
}
$running = $most = 0;
$ends = '';
for ($line = 0; $line < 12; $line++) {
    [$what, $n] = explode(' ', trim($server->line()));
    $running += $what === 'begin' ? 1 : -1;
    $most = max($most, $running);
    $ends .= $what === 'end' ? " $n" : '';
}
echo "ended in the order$ends, ", $most <= 2 ? 'two at once at most' : "$most at once", "\n";
foreach ($clients as $client) {
    $client->response();
}

// two that let each other go on, and are ready all the time
$always = [$ask('/always'), $ask('/always')];
echo $server->line(), $server->line(), $server->line(), $server->line();
$new = array_map(fn (int $n): Client => $ask("/?n=$n&delay=400"), range(7, 10));
// when the first of these begins, those two are known to take long, and need not be waited for
for ($line = 0; $line < 4; $line++) {
    echo $server->line();
}
array_map(fn (Client $client) => $client->response(), $new);
for ($line = 0; $line < 4; $line++) {
    $server->line();
}
touch($stop);
echo $always[0]->response()->line(), "\n", $always[1]->response()->line(), "\n";
unlink($stop);
echo $server->stop();
?>
--EXPECT--
ended in the order 1 2 3 4 5 6, two at once at most
always
always
long
long
begin 7
begin 8
begin 9
begin 10
200 told to end
200 told to end
exit status 0
