--TEST--
An answer that has no room in its temporary file comes whole, and its request waits for the client
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

// what stands for a full disk: a file becomes as large as that, not larger. In units that are the shell's affair
$limited = function (int $blocks, int $concurrency) {
    $php = getenv('TEST_PHP_EXECUTABLE');
    putenv('TEST_PHP_EXECUTABLE=sh -c ' . escapeshellarg("trap '' XFSZ; ulimit -f $blocks; exec \"\$0\" \"\$@\"") . " $php");
    $server = new Server('
        if ($_SERVER["REQUEST_URI"] === "/") { echo "alive"; return; }
        for ($i = 0; $i < 2400; $i++) { echo str_repeat(chr(97 + $i % 26), 10_000); }
        fwrite(STDOUT, "printed\n");
    ', ['concurrency' => $concurrency]);
    putenv("TEST_PHP_EXECUTABLE=$php");

    return $server;
};
$expected = '';
for ($i = 0; $i < 2400; $i++) {
    $expected .= str_repeat(chr(97 + $i % 26), 10_000);
}
foreach (['some room' => 1000, 'no room' => 0] as $name => $blocks) {
    $server = $limited($blocks, 1);
    $slow = $server->connect()->send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n");
    usleep(200_000);
    $other = $server->connect()->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    stream_set_timeout($other->socket, 1);
    echo "$name: beside it ", $other->response()?->line() ?? 'no answer', ', ';
    $response = $slow->response();
    echo $response->status, $response->body === $expected ? ' whole, ' : ' not whole, ', $server->line();
    stream_set_timeout($other->socket, 10);
    echo 'after it ', $other->response()?->line() ?? 'no answer', "\n";
    echo $slow->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response()->line(), " on the same connection\n";
    echo preg_replace('/client: .*/', 'client', $server->stop());
}
?>
--EXPECT--
some room: beside it no answer, 200 whole, printed
after it 200 alive
200 alive on the same connection
exit status 0
weft: can't write an answer to its temporary file, so its request waits for its client
no room: beside it no answer, 200 whole, printed
after it 200 alive
200 alive on the same connection
exit status 0
