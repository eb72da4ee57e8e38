--TEST--
A body that drips in for ever is refused when it comes at less than the minimum rate
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

function drip(Server $server, string $piece, int $times, ?string $framing = null): string
{
    $framing ??= 'Content-Length: ' . $times * strlen($piece);
    $client = $server->connect()->send("POST / HTTP/1.1\r\nHost: a\r\n$framing\r\n\r\n");
    for ($i = 0; $i < $times; $i++) {
        usleep(50_000);
        $client->send($piece);
        $read = [$client->socket];
        if (stream_select($read, $none, $none, 0)) {
            break;
        }
    }
    return $client->response()?->line() ?? 'nothing';
}

$server = new Server('echo strlen(file_get_contents("php://input"));', ['body_timeout_ms' => 300, 'min_rate' => 1000]);
echo drip($server, 'x', 60), "\n";
echo drip($server, str_repeat('x', 1000), 12), "\n";
echo 'chunks: ', drip($server, "1\r\nx\r\n", 60, 'Transfer-Encoding: chunked');
echo 'extensions: ', drip($server, '1;' . str_repeat('x', 1000) . "\r\nx\r\n", 60, 'Transfer-Encoding: chunked');
echo $server->stop();
$server = new Server('echo strlen(file_get_contents("php://input"));', ['body_timeout_ms' => 300, 'min_rate' => 1000, 'body_memory' => 0]);
echo 'in a file: ', drip($server, 'x', 60);
echo 'in a file: ', drip($server, str_repeat('x', 1000), 12), "\n";
echo $server->stop();
$server = new Server('echo strlen(file_get_contents("php://input"));', ['body_timeout_ms' => 300, 'min_rate' => 0]);
echo drip($server, 'x', 12), "\n";
echo $server->stop();
--EXPECT--
408 The request's body comes at less than 1000 bytes a second (weft.http_min_rate).

200 12000
chunks: 408 The request's body comes at less than 1000 bytes a second (weft.http_min_rate).
extensions: 408 The request's body comes at less than 1000 bytes a second (weft.http_min_rate).
exit status 0
in a file: 408 The request's body comes at less than 1000 bytes a second (weft.http_min_rate).
in a file: 200 12000
exit status 0
200 12
exit status 0
