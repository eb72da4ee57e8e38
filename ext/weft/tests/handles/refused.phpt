--TEST--
What can't be given to each domain throws at its first use in one, and says where it was made
--EXTENSIONS--
weft
sockets
sqlite3
--FILE--
<?php
namespace App;

use function Weft\Isolation\run;

$server = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
socket_bind($server, '127.0.0.1', 0);
socket_listen($server, 8);
socket_getsockname($server, $address, $port);
$stream = fsockopen('127.0.0.1', $port);
$other = stream_socket_client("tcp://127.0.0.1:$port");
$peer = socket_accept($server);
socket_accept($server);
socket_write($peer, "one\ntwo\n");
$line = fgets($stream);
$database = new \SQLite3(':memory:');
$file = fopen(__FILE__, 'r');
\Weft\Isolation\snapshot();

echo json_encode(\Weft\Isolation\stats()['uncovered']), ' ', json_encode(\Weft\Isolation\stats()['refused']), "\n";
foreach (\Weft\Isolation\uncovered() as $one) {
    echo "$one[class]: $one[path]: ", str_replace(__FILE__, 'here', $one['reason']), "\n";
}
$uses = [
    'socket_read' => fn () => socket_read($peer, 10),
    'socket_select' => function () use ($peer) { $r = [$peer]; $n = null; return socket_select($r, $n, $n, 0); },
    'fgets' => fn () => fgets($stream),
    'fwrite' => fn () => fwrite($other, 'x'),
    'feof' => fn () => feof($other),
    'stream_select' => function () use ($stream) { $r = [$stream]; $n = null; return @stream_select($r, $n, $n, 0); },
    'stream_get_contents' => fn () => stream_get_contents($stream),
    'SQLite3' => fn () => $database->query('select 1'),
    'own' => function () use ($port) { $own = fsockopen('127.0.0.1', $port); fwrite($own, 'x'); return fclose($own); },
    'a file' => fn () => fgets($file),
];
foreach ($uses as $name => $use) {
    try {
        echo "$name: ", json_encode(run($use)), "\n";
    } catch (\Throwable $e) {
        while ($e->getPrevious()) {
            $e = $e->getPrevious();
        }
        echo "$name: ", $e::class, ': ', strtok(str_replace(__FILE__, 'here', $e->getMessage()), ':'), ':', strtok(' '), "\n";
    }
}
// outside of requests it works as before; "two", which PHP had read ahead, is lost
socket_write($peer, "three\n");
echo fgets($stream), fwrite($other, 'x'), "\n";
?>
--EXPECT--
[] {"Socket":2,"SQLite3":1,"resource (stream)":3}
Socket: $server: it keeps state that is no property, and none can be made for each request, so its first use in a request throws; made at here:6
Socket: $peer: it keeps state that is no property, and none can be made for each request, so its first use in a request throws; made at here:12
SQLite3: $database: it keeps state that is no property, and none can be made for each request, so its first use in a request throws; made at here:16
resource (stream): $stream: an open stream: its position and buffers can't be copied, so its first use in a request throws; made at here:10
resource (stream): $other: an open stream: its position and buffers can't be copied, so its first use in a request throws; made at here:11
resource (stream): $file: an open stream: its position and buffers can't be copied, so its first use in a request throws; made at here:17
socket_read: socket_read: Weft\Isolation\HandleOfBootError: The Socket made during boot at here:12
socket_select: socket_select: Weft\Isolation\HandleOfBootError: The Socket made during boot at here:12
fgets: fgets: Weft\Isolation\HandleOfBootError: The stream (a socket) made during boot at here:10
fwrite: fwrite: Weft\Isolation\HandleOfBootError: The stream (a socket) made during boot at here:11
feof: feof: Weft\Isolation\HandleOfBootError: The stream (a socket) made during boot at here:11
stream_select: stream_select: Weft\Isolation\HandleOfBootError: The stream (a socket) made during boot at here:10
stream_get_contents: stream_get_contents: Weft\Isolation\HandleOfBootError: The stream (a socket) made during boot at here:10
SQLite3: SQLite3: Weft\Isolation\HandleOfBootError: The SQLite3 made during boot at here:16
own: true
a file: a file: Weft\Isolation\HandleOfBootError: The stream made during boot at here:17
three
1
