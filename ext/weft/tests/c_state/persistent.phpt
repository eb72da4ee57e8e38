--TEST--
A persistent socket is not shared between domains, nor kept after one
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

$server = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($server, false);
$accepted = [];
Async\spawn(function () use ($server, &$accepted) {
    while ($peer = @stream_socket_accept($server, 5)) {
        $accepted[] = $peer;
    }
});
$open = fn () => stream_socket_client("tcp://$address", flags: STREAM_CLIENT_CONNECT | STREAM_CLIENT_PERSISTENT);
Weft\Isolation\snapshot();
$mine = $open();
in_domains(function (string $me) use ($open) {
    $one = $open();
    fwrite($one, $me);
    turn();
    $same = $open();
    turn();
    fwrite($same, $me);
    turn();
    return stream_socket_get_name($one, false) === stream_socket_get_name($same, false);
});
fwrite($mine, 'main');
Async\delay(10);
foreach ($accepted as $peer) {
    stream_set_blocking($peer, false);
    echo fread($peer, 10), feof($peer) || fread($peer, 1) === '' && feof($peer) ? ' closed' : ' open', "\n";
}
exit;
?>
--EXPECT--
a: true
b: true
main open
aa closed
bb closed
