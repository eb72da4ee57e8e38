--TEST--
A request that is ended in the middle of a call to a server, by its time limit or since its client has gone: who asks next gets an answer of their own
--EXTENSIONS--
weft
igbinary
memcached
mysqli
pgsql
redis
--SKIPIF--
<?php
foreach (['PGSQL', 'MYSQL', 'REDIS'] as $name) {
    if (!getenv("WEFT_TEST_$name")) die("skip needs WEFT_TEST_$name");
}
?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

// a Memcached that knows every key, by its name, and has to think about some
$memcached = stream_socket_server('tcp://127.0.0.1:0');
putenv('WEFT_TEST_MEMCACHED=' . stream_socket_get_name($memcached, false));
Async\spawn(function () use ($memcached) {
    while ($client = @stream_socket_accept($memcached, 3600)) {
        Async\spawn(function () use ($client) {
            while (preg_match('/^get (\S+)/', (string) fgets($client), $key)) {
                usleep(str_starts_with($key[1], 'cancelled') ? 1_000_000 : 2000);
                @fwrite($client, "VALUE $key[1] 0 " . strlen($key[1]) . "\r\n$key[1]\r\nEND\r\n");
            }
            fclose($client);
        });
    }
});

$before = <<<'PHP'
    function open(string $client, bool $persistent): object {
        parse_str(strtr(substr(getenv('WEFT_TEST_' . ($client === 'mysqli' ? 'MYSQL' : 'PGSQL')), 6), ';', '&'), $to);
        switch ($client) {
            case 'pgsql':
                return ($persistent ? 'pg_pconnect' : 'pg_connect')("host=$to[host] port=$to[port] dbname=$to[dbname] user=$to[user]");
            case 'mysqli':
                return new mysqli(($persistent ? 'p:' : '') . $to['host'], $to['user'], '', $to['dbname'], (int) $to['port']);
            case 'redis':
                $redis = new Redis();
                $redis->{$persistent ? 'pconnect' : 'connect'}(...explode(':', getenv('WEFT_TEST_REDIS')));
                return $redis;
            case 'memcached':
                $memcached = new Memcached($persistent ? 'one' : null);
                $memcached->getServerList() || $memcached->addServer(...explode(':', getenv('WEFT_TEST_MEMCACHED')));
                return $memcached;
        }
    }
    function ask(string $client, object $connection, string $text): string|false {
        return match ($client) {
            'pgsql' => ($result = pg_query($connection, "select '$text', pg_sleep(0.002)")) ? pg_fetch_result($result, 0, 0) : false,
            'mysqli' => $connection->query("select '$text', sleep(0.002)")->fetch_row()[0],
            'redis' => $connection->echo($text),
            'memcached' => $connection->get($text),
        };
    }
    function ask_slowly(string $client, object $connection): void {
        match ($client) {
            'pgsql' => pg_query($connection, "select 'cancelled', pg_sleep(1)"),
            'mysqli' => $connection->query("select 'cancelled', sleep(1)"),
            'redis' => $connection->blPop(['weft-none'], 1),
            'memcached' => $connection->get('cancelled'),
        };
    }
    $boot = [];
    foreach (['pgsql', 'mysqli', 'redis', 'memcached'] as $client) {
        $boot[$client] = open($client, false);
    }
    PHP;
$server = new Server(<<<'PHP'
    ['client' => $client, 'by' => $by, 'me' => $me] = $_GET;
    $connection = $by === 'boot' ? $GLOBALS['boot'][$client] : open($client, $by === 'persistent');
    if (isset($_GET['copy'])) {
        pg_query($connection, "copy (select '$me' from generate_series(1, 100)) to stdout");
        return;
    }
    if (isset($_GET['next'])) {
        for ($i = 0; $i < 3; $i++) {
            echo ask($client, $connection, "$me-$i") === "$me-$i" ? 'own ' : 'WRONG ';
        }
        return;
    }
    header('X-Weft-Timeout: ' . ($_GET['end'] === 'limit' ? 0.3 : 60));
    try {
        fwrite(STDOUT, "asks\n");
        ask_slowly($client, $connection);
        fwrite(STDOUT, "never answered\n");
    } catch (Throwable $e) {
        fwrite(STDOUT, 'never caught: ' . $e::class . "\n");
    } finally {
        $answer = '';
        try {
            $answer = @ask($client, $connection, "after-$me");
        } catch (Throwable) {
            // an error of the client's: the connection is closed
        }
        fwrite(STDOUT, in_array($answer, ["after-$me", '', false], true) ? "ended\n" : "WRONG $answer\n");
    }
    PHP, ['hang_up_cancels' => true], ['error_reporting=8191'], $before);

foreach (['pgsql', 'mysqli', 'redis', 'memcached'] as $client) {
    foreach (['plain', 'persistent', 'boot'] as $by) {
        echo "$client, $by";
        foreach (['limit', 'gone'] as $end) {
            $clients = [];
            $query = "client=$client&by=$by&end=$end";
            for ($i = 0; $i < 3; $i++) {
                $clients[] = $server->connect()->send("GET /?$query&me=slow$i HTTP/1.1\r\nHost: a\r\n\r\n");
                $server->line();
            }
            if ($end === 'gone') {
                array_map(fn (Client $gone) => $gone->close(), $clients);
            }
            echo $end === 'gone' ? '; gone:' : ': ' . $clients[0]->response()->status;
            for ($i = 0; $i < 3; $i++) {
                echo ' ', trim($server->line());
            }
            $clients = [];
            for ($i = 0; $i < 6; $i++) {
                $clients[] = $server->connect()->send("GET /?$query&next&me=next$i HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            $answers = array_map(fn (Client $next) => $next->response()->line(), $clients);
            echo ', then ', trim(implode(' / ', array_unique($answers)));
        }
        echo "\n";
    }
}
// PHP would compute for good where it closes such a connection
foreach (['plain', 'persistent', 'boot'] as $by) {
    echo "left in COPY, $by: ", $server->get("/?client=pgsql&by=$by&me=copy&copy"), ', then ', $server->get("/?client=pgsql&by=$by&me=next&next"), "\n";
}
echo strtok($server->stop(), "\n"), "\n";
exit;
?>
--EXPECT--
pgsql, plain: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
pgsql, persistent: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
pgsql, boot: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
mysqli, plain: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
mysqli, persistent: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
mysqli, boot: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
redis, plain: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
redis, persistent: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
redis, boot: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
memcached, plain: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
memcached, persistent: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
memcached, boot: 504 ended ended ended, then 200 own own own; gone: ended ended ended, then 200 own own own
left in COPY, plain: 200 , then 200 own own own 
left in COPY, persistent: 200 , then 200 own own own 
left in COPY, boot: 200 , then 200 own own own 
exit status 0
