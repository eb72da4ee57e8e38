--TEST--
pcntl_fork() between two messages: the child sends nothing, closes nothing, and takes nothing of what the client sends
--EXTENSIONS--
weft
pcntl
--FILE--
<?php
require __DIR__ . '/ws.inc';

$server = new Server(<<<'PHP'
    $socket = Weft\Http\WebSocket::accept();
    $count = $bytes = 0;
    foreach ($socket as $message) {
        if (str_starts_with($message, 'fork ')) {
            fwrite(STDOUT, "forks\n");
            for (; !file_exists(substr($message, 5)); clearstatcache()) {
                Async\delay(5);
            }
            $pid = pcntl_fork();
            if ($pid === 0) {
                $socket->send('of the child');
                $socket->close(4000);
                return;
            }
            pcntl_waitpid($pid, $status);
        } elseif ($message === 'how many?') {
            $socket->send("$count messages, $bytes bytes");
        } else {
            $count++;
            $bytes += strlen($message);
        }
    }
    PHP);

$client = new WsClient($server);
unlink($go = tempnam(sys_get_temp_dir(), 'weft-test-'));
$client->send(Ws::text("fork $go"));
echo $server->line();
// more than is read ahead
$client->send(str_repeat(Ws::text(str_repeat('x', 2000)), 100));
touch($go);
echo $client->send(Ws::text('how many?'))->next(), "\n";
unlink($go);
echo $client->send(Ws::close())->all(), "\n", $server->stop();
?>
--EXPECT--
forks
text "100 messages, 200000 bytes"
close 1000, closed
exit status 0
