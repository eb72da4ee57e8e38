--TEST--
HTTP/2: who gives no window has the coroutine wait, and is reset after weft.http_write_timeout_ms; bodies are asked for as they are taken
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/frames.inc';

$handler = <<<'PHP'
    if ($_SERVER['REQUEST_METHOD'] === 'POST') {
        echo md5(file_get_contents('php://input'));
        return;
    }
    for ($i = 1; $i <= 4; $i++) {
        echo str_repeat((string) $i, 1000);
        flush();
        fwrite(STDOUT, "wrote $i\n");
    }
    PHP;
$server = new Server($handler, ['write_buffer' => 1024, 'h2_window' => 65535]);
$client = new H2Client($server, [4 => 0]);
$client->send(H2::get(1));
echo $server->line(), $client->next(), "\n";
echo implode(' ', $client->told()), "nothing without a window\n";
$client->send(H2::window(1, 1500));
echo $client->next(), "\n", $server->line();
$client->send(H2::window(1, 10000));
echo $server->line(), $server->line();
$got = 1500;
while (!str_ends_with($words = $client->next(), '(end)')) {
    $got += (int) (explode(' ', $words)[1] ?? 0);
}
echo $got + (int) explode(' ', $words)[1], " bytes, the end\n";

$body = random_bytes(300_000);
$asked = [0 => 65535, 3 => 65535];
$client->send(H2::post(3));
$sent = 0;
while ($sent < strlen($body)) {
    $piece = substr($body, $sent, min(16384, $asked[0] - $sent, $asked[3] - $sent));
    if ($piece === '') {
        $frame = $client->frame();
        if ($frame['type'] === H2::WINDOW_UPDATE) {
            $asked[$frame['stream']] += unpack('N', $frame['payload'])[1];
        }
        continue;
    }
    $sent += strlen($piece);
    $client->send(H2::data(3, $piece, $sent === strlen($body) ? H2::END_STREAM : 0));
}
$client->send(H2::window(3, 100));
echo $client->next(), ' ', $client->next() === '3: "' . md5($body) . '" (end)' ? 'the same' : 'something else', "\n";
echo $server->stop();

$server = new Server('echo str_repeat("x", 100000);', ['write_timeout_ms' => 300]);
$client = new H2Client($server);
$client->send(H2::get(1));
echo implode("\n", $client->until('1: RST_STREAM CANCEL')), "\n";
$client->send(H2::window(0, 100_000), H2::window(3, 100));
echo $client->next(), "\n";
echo $server->stop();
--EXPECT--
wrote 1
1: 200
nothing without a window
1: 1500 bytes
wrote 2
wrote 3
wrote 4
4000 bytes, the end
3: 200 the same
exit status 0
1: 200
1: 16384 bytes
1: 16384 bytes
1: 16384 bytes
1: 16383 bytes
1: RST_STREAM CANCEL
GOAWAY PROTOCOL_ERROR
exit status 0
weft: HTTP/2: the connection of 127.0.0.1 was ended: WINDOW_UPDATE to idle stream
