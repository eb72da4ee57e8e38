--TEST--
max_execution_time is for each message
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $computed = fn () => array_sum([getrusage()['ru_utime.tv_sec'], getrusage()['ru_utime.tv_usec'] / 1e6]);
    foreach (Weft\Http\WebSocket::accept() as $message) {
        for ($from = $computed(); $computed() - $from < (float) $message;) {
            for ($i = 0; $i < 10_000; $i++) {
            }
        }
        fwrite(STDOUT, "computed\n");
    }
    PHP, [], ['max_execution_time=1']);

$client = new WsClient($server);
for ($i = 0; $i < 4; $i++) {
    $client->send(Ws::text('0.4'));
    echo $server->line();
}
echo $client->send(Ws::text('60'))->next(), "\n";
$client->client->close();
echo preg_replace('/ in .*/s', '', $server->stop()), "\n";
?>
--EXPECT--
computed
computed
computed
computed
close 1011
exit status 0
PHP Fatal error:  Maximum execution time of 1 second exceeded
