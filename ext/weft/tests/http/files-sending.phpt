--TEST--
Files large and small: whole, to slow readers without a place among those that run, and cut when they become shorter
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/files.inc';

$files = new Files(['small.bin' => $small = random_bytes(32768), 'large.bin' => $large = random_bytes(9 << 20), 'x.txt' => 'x'], ['concurrency' => 1, 'access_log' => 1]);
echo $files->ask('/small.bin')->body === $small ? 'right' : 'wrong', ' ', $files->ask('/large.bin')->body === $large ? 'right' : 'wrong', "\n";

// more than fits into memory, of which the kernel need not hold a byte
$huge = fopen("$files->root/huge.bin", 'w');
ftruncate($huge, 5 << 30);
fseek($huge, (4 << 30) + 10);
fwrite($huge, 'behind 4 GB');
$answer = $files->ask('/huge.bin', 'GET', 'Range: bytes=' . ((4 << 30) + 10) . '-' . ((4 << 30) + 20));
echo $answer->status, ' ', $answer->headers['content-range'], ' ', $answer->body, ' ', $files->ask('/huge.bin', 'HEAD')->headers['content-length'], "\n";

// large ranges, which are not kept anywhere
$answer = $files->ask('/large.bin', 'GET', 'Range: bytes=1000000-3999999,5000000-8999999,-1');
$parts = explode('--' . substr($answer->headers['content-type'], strlen('multipart/byteranges; boundary=')), $answer->body);
$bodies = array_map(static fn (string $part): string => substr((string) strstr($part, "\r\n\r\n"), 4, -2), array_slice($parts, 1, 3));
$right = $answer->framing() === 'length ' . strlen($answer->body);
echo $right && $bodies === [substr($large, 1000000, 3000000), substr($large, 5000000, 4000000), $large[-1]] ? 'right' : 'wrong', "\n";

// silent readers, of more files than requests may run; and one that begins to read
$silent = [];
for ($i = 0; $i < 8; $i++) {
    $silent[] = $files->server->connect()->send("GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\nGET /x.txt HTTP/1.1\r\nHost: a\r\n\r\n");
}
echo $files->server->get('/'), ', ', $files->server->get('/x.txt'), "\n";
echo $silent[3]->response()->body === $large ? 'right' : 'wrong', ' ', $silent[3]->response()->line(), "\n";

// shorter than was said: the client sees that it is not all
$handle = fopen("$files->root/large.bin", 'r+');
ftruncate($handle, 1 << 20);
$answer = $silent[4]->response();
echo $answer->complete ? 'all' : 'cut', ' of ', $answer->headers['content-length'], "\n";
// longer than was said: no more than that
file_put_contents("$files->root/large.bin", str_repeat('y', 1 << 20), FILE_APPEND);
echo strlen($files->ask('/large.bin')->body), "\n";

// as many as fit into what is read at once, one behind the other
$client = $files->server->connect()->send(str_repeat("GET /x.txt HTTP/1.1\r\nHost: a\r\n\r\n", 2000));
for ($right = 0, $i = 0; $i < 2000; $i++) {
    $right += $client->response()->line() === '200 x' ? 1 : 0;
}
echo "$right\n";
unset($silent);
$log = $files->stop();
echo substr_count($log, 'GET /x.txt 200'), ' ', substr_count($log, 'GET /large.bin 206'), "\n";
--EXPECT--
right right
206 bytes 4294967306-4294967316/5368709120 behind 4 GB 5368709120
right
200 application, 200 x
right 200 x
cut of 9437184
2097152
2000
2002 1
