--TEST--
weft.http_silent_ms ends nobody who has taken all there was, nor while an application waits for something else than its client
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

const LARGE = 24_000_000;

/** While $page is given to a client, which takes it as $take does, somebody else waits for the only place. */
function crowd(string $what, string $page, callable $take, array $config = []): void
{
    $server = new Server('
        if ($_SERVER["REQUEST_URI"] === "/") { echo "alive"; return; }
        ' . $page, ['concurrency' => 1, 'spool' => 0, 'silent_ms' => 1000] + $config);
    $client = $server->connect()->send("GET /page HTTP/1.1\r\nHost: a\r\n\r\n");
    $others = $server->connect();
    usleep(50_000);
    $others->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    $take($client->socket);
    $answer = $client->response();
    echo "$what: ", $answer?->complete ? 'whole' : 'cut', ', beside it: ', $others->response()?->body, "\n", $server->stop();
}

// it has each event, and is silent for longer than it may be with one that it has not
crowd('events', '
    header("Content-Type: text/event-stream");
    echo "data: first\n\n";
    flush();
    usleep(1_500_000);
    echo "data: ", str_repeat("x", ' . LARGE . '), "\n\n";
    flush();
    usleep(1_500_000);
    echo "data: last\n\n";
', static fn ($socket) => null);

// it takes nothing, which keeps nobody waiting: the page computes, asks the database
crowd('a page that waits for others', '
    echo str_repeat("x", ' . LARGE . ');
    flush();
    usleep(2_000_000);
', static fn ($socket) => usleep(1_700_000), ['write_buffer' => 2 * LARGE]);

// the same where the page waits for it
crowd('a page that waits for its client', '
    echo str_repeat("x", ' . LARGE . ');
    flush();
', static fn ($socket) => usleep(1_700_000));
--EXPECT--
events: whole, beside it: alive
exit status 0
a page that waits for others: whole, beside it: alive
exit status 0
a page that waits for its client: cut, beside it: alive
exit status 0
