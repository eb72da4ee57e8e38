--TEST--
http_get_last_response_headers() tells a domain of its own answers alone
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (!function_exists('http_get_last_response_headers')) {
    die('skip PHP 8.4 has this function');
}
?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

$server = stream_socket_server('tcp://127.0.0.1:0');
$url = 'http://' . stream_socket_get_name($server, false) . '/';
Async\spawn(function () use ($server) {
    while ($client = @stream_socket_accept($server, 5)) {
        $path = explode(' ', fgets($client))[1];
        while (trim(fgets($client)) !== '') {
        }
        fwrite($client, "HTTP/1.0 200 OK\r\nX-Path: $path\r\n\r\n");
        fclose($client);
    }
});
file_get_contents($url . 'boot');
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($url) {
    $seen = [http_get_last_response_headers()];
    turn();
    if ($me === 'a') {
        file_get_contents($url . $me);
    }
    turn();
    $seen[] = http_get_last_response_headers()[1] ?? null;
    http_clear_last_response_headers();
    return $seen;
});
echo http_get_last_response_headers()[1], "\n";
fclose($server);
?>
--EXPECT--
a: [null,"X-Path: /a"]
b: [null,null]
X-Path: /boot
