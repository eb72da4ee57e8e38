--TEST--
Who asks on and on without reading gets no further answers made, and all of them once it reads
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('fwrite(STDERR, "made\n"); echo str_repeat("x", 60_000);', ['write_buffer' => 65536]);
$client = $server->connect();
stream_set_blocking($client->socket, false);
$client->send(str_repeat("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 800));
usleep(500_000);
$errors = (new ReflectionProperty($server, 'errors'))->getValue($server);
$made = substr_count(file_get_contents($errors), "made\n");
echo $made < 300 ? 'few are made' : "$made are made", "\n";
stream_set_blocking($client->socket, true);
$right = 0;
for ($i = 0; $i < 800; $i++) {
    $right += strlen($client->response()?->body ?? '') === 60_000;
}
echo "$right right\n";
$client->close();
echo strtok($server->stop(), "\n"), "\n";
--EXPECT--
few are made
800 right
exit status 0
