--TEST--
An address may have limits: of connections, and of requests a second; what a trusted proxy says of its client counts
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

/** How many of so many requests, sent at once, are answered before one is refused. */
function burst(Server $server, string $headers = '', int $count = 30): string
{
    $client = $server->connect()->send(str_repeat("GET / HTTP/1.1\r\nHost: a\r\n$headers\r\n", $count));
    for ($served = 0; ($response = $client->response())?->status === 200; $served++) {
    }
    return $response === null ? "$served, all" : "$served, then {$response->line()}" . ($client->response() === null ? '' : 'and more ')
        . "retry after {$response->headers['retry-after']} s\n";
}

$server = new Server('echo "ok";', ['address_rate' => 1, 'address_burst' => 5, 'request_timeout_ms' => 0]);
$said = burst($server);
echo preg_match('/^([5-9]|1\d), then /', $said) ? strstr($said, 'then') : $said;
echo $server->stop();

echo "no limit: ";
$server = new Server('echo "ok";', ['address_burst' => 5]);
$client = $server->connect()->send(str_repeat("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 30));
for ($i = 0; $i < 30; $i++) {
    $last = $client->response()->line();
}
echo "$last\n", $server->stop();

// connections: the fourth is told, and when one is closed another may come
$server = new Server('echo "ok";', ['address_connections' => 3]);
$ask = static fn (Client $client): string => $client->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response()->line();
$clients = [$server->connect(), $server->connect(), $server->connect()];
echo implode(', ', array_map($ask, $clients)), "\n";
$fourth = $server->connect();
echo $fourth->response()->line();
echo $fourth->closed() ? "closed\n" : "open\n";
$fourth->close();
array_pop($clients)->close();
usleep(200_000);
echo $ask($server->connect()), "\n";
echo $server->stop();
--EXPECT--
then 429 Too many requests come from this address (weft.http_address_rate).
retry after 2 s
exit status 0
no limit: 200 ok
exit status 0
200 ok, 200 ok, 200 ok
429 Too many connections of this address are open (weft.http_address_connections).
closed
200 ok
exit status 0
