--TEST--
The files of answers that nobody reads share weft.http_spool_total: beyond it requests wait, until one of the files goes
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (!is_dir('/proc/self/fd')) die('skip needs /proc');
?>
--FILE--
<?php
require __DIR__ . '/server.inc';

const MB = 1 << 20;
$go = tempnam(sys_get_temp_dir(), 'weft-test-');
// whatever the kernel holds for a client, one answer is below the limit and two are beyond it
$server = new Server('
    switch ($_SERVER["REQUEST_URI"]) {
        case "/pid": echo getmypid(); return;
        case "/": echo "alive"; return;
        case "/hold": while (file_exists(' . var_export($go, true) . ')) { usleep(10000); clearstatcache(); } echo "held"; return;
    }
    fwrite(STDOUT, "begun\n");
    for ($i = 0; $i < 2400; $i++) { echo str_repeat(chr(97 + $i % 26), 10_000); }
    fwrite(STDOUT, "printed\n");
', ['concurrency' => 2, 'silent_ms' => 0], ['weft.http_spool_total=25M']);
$expected = '';
for ($i = 0; $i < 2400; $i++) {
    $expected .= str_repeat(chr(97 + $i % 26), 10_000);
}
$pid = (int) substr($server->get('/pid'), 4);

/** Bytes of the worker's temporary files. */
function spooled(int $pid): int
{
    $sum = 0;
    foreach (scandir("/proc/$pid/fd") as $fd) {
        $file = "/proc/$pid/fd/$fd";
        if (str_ends_with((string) @readlink($file), ' (deleted)')) {
            clearstatcache();
            $sum += @filesize($file);
        }
    }
    return $sum;
}

$hold = $server->connect()->send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n");
$first = $server->connect()->send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n");
$server->line();
echo 'first: ', $server->line();
$second = $server->connect()->send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n");
// a short request may begin before one that computes
$server->line();
$other = $server->connect();
$other->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
stream_set_timeout($other->socket, 2);
echo 'beside both: ', $other->response()?->line() ?? 'no answer', "\n";
$sum = spooled($pid);
var_dump($sum > 20 * MB, $sum <= 26 * MB);

$first->close();
echo 'second: ', $server->line();
stream_set_timeout($other->socket, 10);
echo 'beside one: ', $other->response()?->line() ?? 'no answer', "\n";
var_dump($second->response()->body === $expected, spooled($pid));

unlink($go);
echo $hold->response()->line(), "\n";
foreach ([$hold, $second, $other] as $client) {
    $client->close();
}
echo $server->stop();
?>
--EXPECT--
first: printed
beside both: no answer
bool(true)
bool(true)
second: printed
beside one: 200 alive
bool(true)
int(0)
200 held
exit status 0
