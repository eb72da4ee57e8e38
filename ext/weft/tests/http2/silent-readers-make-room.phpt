--TEST--
Who takes nothing of an answer loses its place, when others wait for it and no file has room (weft.http_silent_ms)
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$handler = '
    if ($_SERVER["REQUEST_URI"] === "/") { echo "alive"; return; }
    for ($i = 0; $i < 2400; $i++) { echo str_repeat(chr(97 + $i % 26), 10_000); }
';
$expected = '';
for ($i = 0; $i < 2400; $i++) {
    $expected .= str_repeat(chr(97 + $i % 26), 10_000);
}
const BIG = "GET /big HTTP/1.1\r\nHost: a\r\n\r\n";

function crowd(string $what, string $handler, callable $come, array $config = ['spool' => 0], array $ini = []): void
{
    $server = new Server($handler, ['concurrency' => 2, 'silent_ms' => 300] + $config, $ini);
    $tell = $come($server);
    echo "$what: ", $server->get('/'), ', ', $tell(), "\n";
    unset($tell); // and with it who would be waited for
    echo $server->stop();
}

$silent = static function (Server $server): callable {
    $clients = [$server->connect()->send(BIG), $server->connect()->send(BIG), $server->connect()->send(BIG)];
    usleep(100_000);
    return static function () use ($clients): string { // which of them came in first is the kernel's to say
        $fates = array_map(fn (Client $one) => $one->response()?->complete ? 'whole' : 'cut', $clients);
        sort($fates);
        return implode(', ', $fates);
    };
};
crowd('HTTP/1.1', $handler, $silent);
crowd('the files of others are full', $handler, $silent, [], ['weft.http_spool_total=1M']);

crowd('no window', $handler, static function (Server $server): callable {
    $client = (new H2Client($server, [4 => 0]))->send(H2::get(1, '/big'), H2::get(3, '/big'));
    $client->settle();
    return static function () use ($client): string {
        $all = $client->until('1: RST_STREAM CANCEL', '3: RST_STREAM CANCEL');
        return substr(end($all), 3);
    };
});
crowd('HTTP/2, and the socket is not read', $handler, static function (Server $server): callable {
    $client = (new H2Client($server, [4 => 1 << 30]))->send(H2::window(0, 1 << 30), H2::get(1, '/big'), H2::get(3, '/big'));
    usleep(100_000);
    return static fn () => $client ? 'nothing was read' : '';
});

// who reads slowly is no such client, while one that doesn't makes room beside it
$server = new Server($handler, ['concurrency' => 2, 'silent_ms' => 1000, 'spool' => 0]);
$slow = $server->connect()->send(BIG);
$silent = $server->connect()->send(BIG);
$others = $server->connect();
stream_set_blocking($others->socket, false);
$got = '';
$answered = '';
$asked = 0;
while (!str_ends_with($got, "0\r\n\r\n") && !feof($slow->socket)) {
    $got .= fread($slow->socket, strlen($got) < 6_000_000 ? 20_000 : 1 << 20);
    if ($asked++ === 5) {
        $others->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    $answered .= fread($others->socket, 1000);
    usleep(strlen($got) < 6_000_000 ? 5_000 : 0);
}
$silent->close();
echo 'slow: ', strlen($got) >= strlen($expected) ? 'whole' : strlen($got), ', beside it: ', substr($answered, 9, 3), "\n", $server->stop();

// nobody waits: it has its time
$server = new Server($handler, ['concurrency' => 1, 'silent_ms' => 50, 'spool' => 0]);
$client = $server->connect()->send(BIG);
usleep(500_000);
echo 'alone: ', $client->response()->body === $expected ? 'whole' : 'cut', "\n", $server->stop();
--EXPECT--
HTTP/1.1: 200 alive, cut, cut, whole
exit status 0
the files of others are full: 200 alive, cut, cut, whole
exit status 0
no window: 200 alive, RST_STREAM CANCEL
exit status 0
HTTP/2, and the socket is not read: 200 alive, nothing was read
exit status 0
slow: whole, beside it: 200
exit status 0
alone: whole
exit status 0
