--TEST--
Bodies in files have a limit together: who would go beyond gets 503, and one alone has what post_max_size allows
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo strlen(file_get_contents("php://input"));', ['body_memory' => 1000, 'input_files' => 1 << 20]);
$head = "POST / HTTP/1.1\r\nHost: a\r\n";
$begin = static function (int $send) use ($server, $head): Client {
    $client = $server->connect()->send("{$head}Content-Length: 3000000\r\n\r\n" . str_repeat('x', $send));
    usleep(100_000);
    return $client;
};
$first = $begin(700_000);
echo 'beyond: ', $begin(700_000)->response()->line();
echo 'beyond, in chunks: ', $server->connect()->send("{$head}Transfer-Encoding: chunked\r\n\r\naae60\r\n" . str_repeat('x', 700_000))->response()->line();
$second = $begin(300_000);
echo 'small: ', $server->connect()->send("{$head}Content-Length: 5\r\n\r\nhello")->response()->line(), "\n";
echo 'the second goes on: ', $second->send(str_repeat('x', 200_000))->response()->line();
echo 'the first, alone: ', $first->send(str_repeat('x', 2_300_000))->response()->line(), "\n";
$again = $begin(700_000);
echo 'after it: ', $again->send(str_repeat('x', 2_300_000))->response()->line(), "\n";
echo $server->stop();
--EXPECT--
beyond: 503 The bodies of other requests have all the room there is on the disk now (weft.http_input_files).
beyond, in chunks: 503 The bodies of other requests have all the room there is on the disk now (weft.http_input_files).
small: 200 5
the second goes on: 503 The bodies of other requests have all the room there is on the disk now (weft.http_input_files).
the first, alone: 200 3000000
after it: 200 3000000
exit status 0
