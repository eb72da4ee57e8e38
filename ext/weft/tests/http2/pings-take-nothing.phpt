--TEST--
HTTP/2: who leaves no window for an answer is given up, whatever pings it sends meanwhile
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$server = new Server('echo str_repeat("x", 100000);', ['write_timeout_ms' => 300]);
// the stream has room, the connection has none
$client = new H2Client($server, [4 => 1 << 20]);
$client->send(H2::get(1));
$got = 0;
while ($got < 65535) {
    $frame = $client->frame();
    $got += $frame['type'] === H2::DATA ? strlen($frame['payload']) : 0;
}
$pings = 0;
do {
    usleep(15_000);
    $told = $client->told();
} while ($told === [] && ++$pings < 300);
echo $pings > 2 && $pings < 300 ? 'after some pings' : "after $pings pings", ': ', implode(' ', $told), "\n";
$client->send(H2::window(0, 1 << 20), H2::get(3));
$told = $client->until('3: 1696 bytes (end)', '3: "" (end)');
echo str_ends_with(end($told), '(end)') ? 'the next is answered' : end($told), "\n";

// who reads at least is not given up for what another stream has not got
$client = new H2Client($server, [4 => 1 << 20]);
$client->send(H2::get(1), H2::get(3));
for ($i = 0, $got = []; count(array_filter($got, fn ($bytes) => $bytes === 100_000)) < 2 && $i < 2000;) {
    $frame = $client->frame();
    if ($frame['type'] === H2::DATA) {
        $got[$frame['stream']] = ($got[$frame['stream']] ?? 0) + strlen($frame['payload']);
        if (++$i >= 4) {
            usleep(60_000);
            $client->send(H2::window(0, 5000));
        }
    } elseif ($frame['type'] === H2::RST_STREAM) {
        echo "reset\n";
        break;
    }
}
ksort($got);
echo json_encode($got), "\n", $server->stop();
--EXPECT--
after some pings: 1: RST_STREAM CANCEL
the next is answered
{"1":100000,"3":100000}
exit status 0
