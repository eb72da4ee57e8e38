--TEST--
Chunked request bodies, in any pieces, with extensions and trailers ignored
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo strlen(file_get_contents("php://input")), " ", substr(file_get_contents("php://input"), 0, 12),
    " ", json_encode($_POST), " ", $_SERVER["CONTENT_LENGTH"] ?? "none", " ", isset($_SERVER["HTTP_TRAILER"]) ? "trailer" : "";');
$head = "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n";
$body = "4;ext=1\r\na=1&\r\n3\r\nb=2\r\n0\r\nTrailer: x\r\n\r\n";
$client = $server->connect();
echo $client->send($head . $body)->response()->line(), "\n";
foreach (str_split($head . $body) as $byte) {
    $client->send($byte);
}
echo $client->response()->line(), "\n";
$big = str_repeat('x', 400000); // beyond what is kept in memory
echo substr($client->send($head . dechex(strlen($big)) . "\r\n$big\r\n0\r\n\r\n")->response()->line(), 0, 23), "\n";
echo $server->stop();
--EXPECT--
200 7 a=1&b=2 {"a":"1","b":"2"} 7 
200 7 a=1&b=2 {"a":"1","b":"2"} 7 
200 400000 xxxxxxxxxxxx
exit status 0
