--TEST--
Requests whose clients don't read make room for others: their answers go to files, up to a limit, and are right
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = '
    if ($_SERVER["REQUEST_URI"] === "/") { echo "alive"; return; }
    for ($i = 0; $i < 2400; $i++) { echo str_repeat(chr(97 + $i % 26), 10_000); }
';
$expected = '';
for ($i = 0; $i < 2400; $i++) {
    $expected .= str_repeat(chr(97 + $i % 26), 10_000);
}

function crowd(string $handler, array $config, string $expected, bool $goOn): void
{
    $server = new Server($handler, ['concurrency' => 2] + $config);
    $silent = [];
    for ($i = 0; $i < 5; $i++) {
        $silent[] = $server->connect()->send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    $other = $server->connect();
    stream_set_timeout($other->socket, 3);
    echo $other->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response()?->line() ?? 'no answer', "\n";
    $right = 0;
    foreach ($silent as $client) {
        $right += $client->response()->body === $expected;
        $right += $goOn && $client->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response()->body === 'alive';
        $client->close();
    }
    echo "$right right\n";
    $other->close();
    echo $server->stop();
}

crowd($handler, [], $expected, true);
crowd($handler, ['spool' => 1 << 20, 'silent_ms' => 0], $expected, false);
crowd($handler, ['spool' => 0, 'silent_ms' => 0], $expected, false);
--EXPECT--
200 alive
10 right
exit status 0
no answer
5 right
exit status 0
no answer
5 right
exit status 0
