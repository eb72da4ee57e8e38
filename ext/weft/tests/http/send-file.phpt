--TEST--
Weft\Http\send_file() answers with a file or a part of it; the request is over while a slow client takes it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$file = tempnam(sys_get_temp_dir(), 'weft-test-');
file_put_contents($file, $bytes = random_bytes(24 << 20));
$handler = '
    if (!isset($_GET["file"])) { echo "alive"; return; }
    header("X-Sent: file");
    echo "thrown away";
    $sent = Weft\Http\send_file($_GET["file"], (int) ($_GET["from"] ?? 0), isset($_GET["length"]) ? (int) $_GET["length"] : null);
    echo $sent ? "thrown away" : "not sent";
    fwrite(STDOUT, ($sent ? "over" : "goes on") . "\n");
';
$server = new Server($handler);
$path = urlencode($file);

$client = $server->connect()->send("GET /?file=$path HTTP/1.1\r\nHost: a\r\n\r\nGET /?file=$path&from=10&length=5 HTTP/1.1\r\nHost: a\r\n\r\n");
$whole = $client->response();
echo $whole->framing(), ' ', $whole->headers['x-sent'], ' ', $whole->body === $bytes ? 'right' : 'wrong', "\n";
$part = $client->response();
echo $part->framing(), ' ', $part->body === substr($bytes, 10, 5) ? 'right' : 'wrong', "\n";
$head = $client->send("HEAD /?file=$path HTTP/1.1\r\nHost: a\r\n\r\n")->response(true);
echo $head->framing(), "\n";
echo $server->get("/?file=$path&from=10&length=0"), "\n";
echo $server->get('/?file=/nowhere'), "\n";
echo $server->get('/?file=/tmp'), "\n";
echo $server->get("/?file=$path&from=" . (25 << 20)), "\n";
for ($i = 0; $i < 7; $i++) {
    echo $server->line();
}
echo $server->stop();

// more silent readers than requests may run
$server = new Server($handler, ['concurrency' => 2, 'write_timeout_ms' => 500]);
$silent = [];
for ($i = 0; $i < 8; $i++) {
    $silent[] = $server->connect()->send("GET /?file=$path HTTP/1.1\r\nHost: a\r\n\r\n");
    $server->line();
}
echo $server->get('/'), "\n";
usleep(1_500_000);
$cut = 0;
foreach ($silent as $one) {
    $cut += $one->response()?->complete ? 0 : 1;
}
echo "$cut cut\n";
unlink($file);
echo $server->stop();
--EXPECT--
length 25165824 file right
length 5 right
length 25165824
200 
200 thrown awaynot sent
200 thrown awaynot sent
200 thrown awaynot sent
over
over
over
over
goes on
goes on
goes on
exit status 0
200 alive
8 cut
exit status 0
