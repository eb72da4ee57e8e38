--TEST--
weft.http_hang_up=cancel: a client's close or reset ends its request where it waits, a half-close does not; off by default
--EXTENSIONS--
weft
sockets
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = <<<'PHP'
    $say = fn (string $what) => fwrite(STDOUT, "{$_GET['me']} $what\n");
    $status = fn () => connection_aborted() . ' ' . connection_status();
    register_shutdown_function(function () use ($say, $status) {
        Async\delay(10);
        echo ' and more';
        flush();
        $say('shutdown ' . $status());
    });
    if (isset($_GET['ignore'])) {
        ini_set('ignore_user_abort', '1');
    }
    try {
        if (isset($_GET['child'])) {
            $child = Async\spawn(function () use ($say) {
                try {
                    Async\delay(60_000);
                } catch (Async\AsyncCancellation $e) {
                    $say('child: ' . $e->getMessage());
                    throw $e;
                }
            });
            Async\await($child);
        }
        if (isset($_GET['stream'])) {
            echo 'begun';
            flush();
        }
        $say('waits');
        for ($i = 0; $i < (int) $_GET['turns'] && connection_aborted() === 0; $i++) {
            Async\delay(5);
        }
        $say('goes on ' . $status());
        headers_sent() || http_response_code(201); // PHP 8.4 warns
        echo 'answer';
    } catch (Throwable $e) {
        $say('never caught: ' . $e::class);
    } finally {
        Async\delay(10);
        $say('finally ' . $status());
    }
    PHP;
// so that each story is told to its end, and in order
$told = function (Server $server, string $last): void {
    do {
        $line = $server->line();
        echo $line;
    } while (!str_starts_with($line, $last));
};
$send = fn (Server $server, string $query, string $version = '1.1') => $server->connect()
    ->send("GET /?$query HTTP/$version\r\nHost: a\r\n\r\n");
$half = function (Server $server, string $query, string $version = '1.1') use ($send): void {
    $client = $send($server, $query, $version);
    stream_socket_shutdown($client->socket, STREAM_SHUT_WR);
    $response = $client->response();
    echo $response->statusLine, ': ', $response->body, "\n";
};

$server = new Server($handler, ['hang_up_cancels' => true]);
$send($server, 'me=closed&turns=10000')->waitFor($server, "closed waits\n")->close();
$told($server, 'closed shutdown');

$client = $send($server, 'me=reset&turns=10000&stream=1')->waitFor($server, "reset waits\n");
$client->head();
socket_set_option(socket_import_stream($client->socket), SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
$client->close();
$told($server, 'reset shutdown');

// a stream of events whose client has left, without a word until the next of them
$client = $send($server, 'me=listener&turns=10000&stream=1')->waitFor($server, "listener waits\n");
$client->head();
$client->close();
$told($server, 'listener shutdown');

$send($server, 'me=parent&child=1&turns=0')->close();
$told($server, 'parent shutdown');

$send($server, 'me=ignoring&ignore=1&turns=10000')->waitFor($server, "ignoring waits\n")->close();
$told($server, 'ignoring shutdown');

$half($server, 'me=half&turns=5');
$told($server, 'half shutdown');
$half($server, 'me=half10&turns=5', '1.0');
$told($server, 'half10 shutdown');
// one that listens on: what is sent to find out is a part of the size of the next chunk
$client = $send($server, 'me=halfway&turns=5&stream=1')->waitFor($server, "halfway waits\n");
stream_socket_shutdown($client->socket, STREAM_SHUT_WR);
$told($server, 'halfway shutdown');
echo preg_match('~\r\n\r\n(.*)~s', stream_get_contents($client->socket), $found) ? json_encode($found[1]) : 'nothing', "\n";
echo $server->stop();

echo "-- by default\n";
$server = new Server($handler);
$send($server, 'me=closed&turns=5')->waitFor($server, "closed waits\n")->close();
$told($server, 'closed shutdown');
echo $server->stop();
?>
--EXPECT--
closed waits
closed finally 1 1
closed shutdown 1 1
reset waits
reset finally 1 1
reset shutdown 1 1
listener waits
listener finally 1 1
listener shutdown 1 1
parent child: The client has hung up (weft.http_hang_up)
parent finally 1 1
parent shutdown 1 1
ignoring waits
ignoring goes on 1 1
ignoring finally 1 1
ignoring shutdown 1 1
HTTP/1.1 201 Created: answer and more
half waits
half goes on 0 0
half finally 0 0
half shutdown 0 0
HTTP/1.1 201 Created: answer and more
half10 waits
half10 goes on 0 0
half10 finally 0 0
half10 shutdown 0 0
halfway waits
halfway goes on 0 0
halfway finally 0 0
halfway shutdown 0 0
"5\r\nbegun\r\n0f\r\nanswer and more\r\n0\r\n\r\n"
exit status 0
-- by default
closed waits
closed goes on 0 0
closed finally 0 0
closed shutdown 0 0
exit status 0
