--TEST--
When descriptors or connections run out, a newcomer gets the place of an idle connection; requests keep some descriptors
--EXTENSIONS--
weft
posix
--FILE--
<?php
require __DIR__ . '/server.inc';

function crowd(array $config, string $before): void
{
    // no time-out helps
    $server = new Server('
        $files = [];
        for ($i = 0; $i < 20; $i++) { $files[] = fopen("/dev/null", "r"); }
        echo count(array_filter($files));
    ', $config + ['header_timeout_ms' => 60000, 'idle_timeout_ms' => 60000], [], $before);
    $known = $server->connect();
    echo 'first: ', $known->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response()->line(), "\n";
    $idle = $heads = [];
    for ($i = 0; $i < 150; $i++) {
        $idle[] = $server->connect();
        $heads[] = $server->connect()->send("GET / HTTP/1.1\r\nHo");
    }
    echo 'newcomer: ', $server->get('/'), "\n";
    echo 'who has asked before: ', $known->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")->response()?->line(), "\n";
    $known->close();
    $open = 0;
    foreach ([...$idle, ...$heads] as $client) {
        $read = [$client->socket];
        $open += stream_select($read, $none, $none, 0) ? 0 : 1;
    }
    echo $open >= 100 && $open <= 160 ? "some others are still there\n" : "$open others are still there\n";
    echo explode(' ', $end = end($heads)->send("st: a\r\n\r\n")->response()?->line() ?? 'nothing')[0], " for the last\n";
    // a head that has begun may be completed, even while the server stops
    foreach ([...$idle, ...$heads] as $client) {
        $client->close();
    }
    echo strtok($server->stop(), "\n"), "\n";
}

echo "descriptors\n";
crowd([], 'posix_setrlimit(POSIX_RLIMIT_NOFILE, 200, 200);');
echo "connections\n";
crowd(['connections' => 150], '');
--EXPECT--
descriptors
first: 200 20
newcomer: 200 20
who has asked before: 200 20
some others are still there
200 for the last
exit status 0
connections
first: 200 20
newcomer: 200 20
who has asked before: 200 20
some others are still there
200 for the last
exit status 0
