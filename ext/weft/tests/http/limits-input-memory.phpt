--TEST--
Half-sent bodies go to files when there are many; half-sent heads get 503; what comes whole is served
--EXTENSIONS--
weft
posix
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    if ($_SERVER["REQUEST_METHOD"] === "POST") {
        echo md5(file_get_contents("php://input"));
    } else {
        $files = preg_grep("/deleted/", array_map(fn ($fd) => (string) @readlink($fd), glob("/proc/self/fd/*")));
        echo count($files);
    }
', ['input_memory' => 2 << 20, 'concurrency' => 4]);

// 40 times 200 KB: 1 MB of it stays in memory
$body = str_repeat('0123456789', 20_000);
$clients = [];
for ($i = 0; $i < 40; $i++) {
    $clients[] = $server->connect()->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " . strlen($body) + 1 . "\r\n\r\n$body");
}
usleep(200_000);
$files = (int) explode(' ', $server->get('/'))[1];
echo $files >= 33 && $files <= 39 ? "most are in files\n" : "$files are in files\n";
echo 'small: ', $server->connect()->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")->response()->body === md5('ok') ? 'right' : 'wrong', "\n";
$right = 0;
foreach ($clients as $client) {
    $right += $client->send('.')->response()->body === md5("$body.");
    $client->close();
}
echo "$right right\n";

// 100 times 30 KB of a head
$clients = [];
for ($i = 0; $i < 100; $i++) {
    $clients[] = $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\nX: " . str_repeat('x', 30_000));
}
usleep(200_000);
echo $server->get('/'), "\n";
$refused = 0;
foreach ($clients as $client) {
    $read = [$client->socket];
    if (stream_select($read, $none, $none, 0)) {
        $line = $client->response()->line();
        $refused += $line === "503 Too many requests are incomplete now (weft.http_input_memory).\n";
    }
}
echo $refused >= 30 && $refused <= 70 ? "many heads are refused\n" : "$refused heads are refused\n";
echo $server->stop();
--EXPECT--
most are in files
small: right
40 right
200 0
many heads are refused
exit status 0
