--TEST--
A message that can't be served soon is refused with 1013, and the end of its socket is told all the same
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$go = tempnam(sys_get_temp_dir(), 'weft-test-');
$server = new Server(<<<'PHP'
    Weft\Http\WebSocket::accept()->handOver('Slow::take', $_SERVER['QUERY_STRING']);
    PHP, ['concurrency' => 1], ['weft.http_queue_ms=100'], <<<PHP
    final class Slow
    {
        public static function take(Weft\Http\WebSocket \$socket, string \$event, string \$data): void
        {
            for (; \$event !== 'close' && !file_exists('$go'); clearstatcache()) {
                Async\delay(5);
            }
            if (\$event === 'close') {
                fwrite(STDOUT, \$socket->state() . ' ends with ' . \$socket->closeCode() . "\\n");
            } else {
                \$socket->send("took \$data");
            }
        }
    }
    PHP);
unlink($go);
$clients = [];
foreach (range(1, 7) as $i) {
    $clients[$i] = new WsClient($server, "/?$i");
}
// one runs, two wait, and nothing moves
foreach ([1, 2, 3] as $i) {
    $clients[$i]->send(Ws::text("message $i"));
    usleep(50_000);
}
usleep(300_000);
foreach ([4, 5, 6] as $i) {
    $clients[$i]->send(Ws::text('one'), Ws::text('two'), Ws::text('three'));
    echo "$i: ", $clients[$i]->next(), "\n";
    $clients[$i]->send(Ws::close(1013));
}
touch($go);
foreach ([1, 2, 3] as $i) {
    echo "$i: ", $clients[$i]->next(), "\n";
}
foreach ([2, 3] as $i) { // have waited for too long when their turn comes
    $clients[$i]->send(Ws::close(1013));
}
$ends = array_map(fn (): string => $server->line(), range(1, 5));
sort($ends);
echo implode('', $ends);
echo '7: ', $clients[7]->send(Ws::text('at last'))->next(), "\n";
unlink($go);
echo strtok($server->stop(), "\n"), "\n";
?>
--EXPECT--
4: close 1013
5: close 1013
6: close 1013
1: text "took message 1"
2: close 1013
3: close 1013
2 ends with 1013
3 ends with 1013
4 ends with 1013
5 ends with 1013
6 ends with 1013
7: text "took at last"
exit status 0
