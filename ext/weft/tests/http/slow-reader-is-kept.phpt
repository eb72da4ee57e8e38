--TEST--
Who reads slowly gets all of it, though the socket takes nothing for longer than the write time-out; who reads nothing is cut
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    $piece = str_repeat("x", 1 << 20);
    for ($i = 0; $i < 24; $i++) { echo $piece; }
    fwrite(STDOUT, "$_GET[who]: " . (connection_aborted() ? "cut" : "done") . "\n");
', ['write_timeout_ms' => 1000], ['ignore_user_abort=1']);

$slow = $server->connect()->send("GET /?who=slow HTTP/1.1\r\nHost: a\r\n\r\n");
stream_set_chunk_size($slow->socket, 65536);
$slow->head();
$read = 0;
for ($i = 0; $i < 40; $i++) {
    usleep(100_000);
    $read += strlen(fread($slow->socket, 65536));
}
$end = '';
while ($end !== "\r\n0\r\n\r\n" && ($more = fread($slow->socket, 1 << 20)) !== '') {
    $read += strlen($more);
    $end = substr($end . $more, -7); // it may come in pieces
}
echo $end !== "\r\n0\r\n\r\n" ? "slow: its end is missing after $read bytes\n" : "slow: got its end\n";

$silent = $server->connect()->send("GET /?who=silent HTTP/1.1\r\nHost: a\r\n\r\n");
echo $server->line(), $server->line();
echo $server->stop();
--EXPECT--
slow: got its end
slow: done
silent: cut
exit status 0
