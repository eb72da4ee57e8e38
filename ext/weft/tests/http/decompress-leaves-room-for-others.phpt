--TEST--
A body that is decompressed is read a small share at a time: a request that came later is served before its end
--EXTENSIONS--
weft
zlib
--FILE--
<?php
require __DIR__ . '/../http2/frames.inc';

$server = new Server('
    file_put_contents("php://stdout", $_SERVER["REQUEST_URI"] . "\n");
    echo strlen(file_get_contents("php://input"));
', [], ['post_max_size=64M', 'weft.http_decompress=gzip', 'weft.http_decompress_ratio=0']);
$coded = gzencode(str_repeat("\0", 40 << 20));
$again = static function (callable $send) use ($server): Client {
    $server->signal(SIGSTOP);
    $send();
    $hello = $server->connect()->send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
    usleep(50_000);
    $server->signal(SIGCONT);
    echo $server->line(), $server->line();

    return $hello;
};

$client = $server->connect()->send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: " . strlen($coded) . "\r\n\r\n");
usleep(50_000);
$hello = $again(static fn () => $client->send($coded));
echo $client->response()->line(), "\n", $hello->response()->line(), "\n";
echo $client->send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")->response()->line(), "\n", $server->line();

$client = new H2Client($server);
$client->send(H2::post(1, ['content-encoding' => 'gzip'], '/upload'));
$client->settle();
usleep(50_000); // it has looked for further connections, too
$pieces = str_split($coded, 16384);
$again(static fn () => $client->send(...array_map(static fn ($i) => H2::data(1, $pieces[$i], (int) ($i === count($pieces) - 1)), array_keys($pieces))));
echo implode(', ', $client->until('1: "41943040" (end)')), "\n";
echo implode(', ', $client->send(H2::get(3, '/next'))->until('3: "0" (end)')), "\n", $server->line();
echo $server->stop();
--EXPECT--
/hello
/upload
200 41943040
200 0
200 0
/next
/hello
/upload
1: 200, 1: "41943040" (end)
3: 200, 3: "0" (end)
/next
exit status 0
