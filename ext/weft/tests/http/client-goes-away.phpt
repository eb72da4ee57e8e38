--TEST--
A client that goes away is noticed at the next write, which ends the request; a half-closed one gets its answer
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    switch ($_GET["do"]) {
        case "stream":
            try {
                echo "begin"; flush();
                fwrite(STDOUT, "began\n");
                for ($i = 0; $i < 1000; $i++) { echo str_repeat("x", 1000); flush(); Async\delay(2); }
                fwrite(STDOUT, "never\n");
            } finally {
                fwrite(STDOUT, "finally " . connection_aborted() . "\n");
            }
            break;
        case "ignore":
            ignore_user_abort(true);
            for ($i = 0; $i < 1000 && !connection_aborted(); $i++) { echo "x"; flush(); Async\delay(2); }
            fwrite(STDOUT, "went on, aborted " . connection_aborted() . "\n");
            break;
        case "slow": Async\delay(50); echo "answer"; break;
    }
');
$half = $server->connect()->send("GET /?do=slow HTTP/1.1\r\nHost: a\r\n\r\n");
stream_socket_shutdown($half->socket, STREAM_SHUT_WR);
echo $half->response()->line(), "\n";
foreach (['stream', 'ignore'] as $do) {
    $client = $server->connect()->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\n\r\n");
    $client->head();
    $client->chunk();
    $client->close();
    usleep(200000);
}
echo $server->get('/?do=slow'), "\n", $server->stop();
--EXPECT--
200 answer
200 answer
exit status 0
began
finally 1
went on, aborted 1
