--TEST--
max_execution_time and set_time_limit() count what a request itself computes, and end it alone with PHP's error
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$handler = <<<'PHP'
    // of the process, that is of all requests
    $computed = fn () => array_sum([getrusage()['ru_utime.tv_sec'], getrusage()['ru_utime.tv_usec'] / 1e6]);
    $compute = function (float $seconds) use ($computed) {
        for ($from = $computed(); $computed() - $from < $seconds;) {
            for ($i = 0; $i < 10_000; $i++) {
            }
        }
    };
    switch ($_GET['do'] ?? '') {
        case 'says':
            echo ini_get('max_execution_time');
            return;
        case 'computes':
            register_shutdown_function(fn () => fwrite(STDOUT, "shutdown: " . error_get_last()['message'] . "\n"));
            while (true) {
            }
        case 'shares':
            $compute(1.6);
            echo 'as much as others';
            return;
        case 'waits':
            Async\delay(1200);
            echo 'waited';
            return;
        case 'again':
            $compute(0.7);
            set_time_limit(1);
            $compute(0.7);
            echo 'began anew';
            return;
        case 'none':
            set_time_limit(0);
            $compute(1.3);
            echo ini_get('max_execution_time'), ' is no limit';
            return;
        case 'own':
            header('X-Weft-Timeout: 60');
            set_time_limit(0);
            $compute(1.3);
            echo 'a limit of its own';
            return;
        case 'two':
            ini_set('max_execution_time', '2');
            while (true) {
            }
    }
    PHP;
$server = new Server($handler, [], ['max_execution_time=1', 'html_errors=0']);
$begin = function (string $do) use (&$server): Client {
    $client = $server->connect()->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\n\r\n");
    stream_set_timeout($client->socket, 120); // of CPU time there may be little

    return $client;
};
$get = fn (string $do): string => $begin($do)->response()->line();
echo $get('says'), "\n";
$clients = array_map($begin, ['shares', 'shares', 'waits', 'shares']);
foreach ($clients as $client) {
    echo $client->response()->line(), "\n";
}
echo $get('computes'), "\n", $server->line();
foreach (['again', 'none', 'two', 'says'] as $do) {
    echo $get($do), "\n";
}
echo $server->stop();
echo "-- by default, and with a request that may take longer in all\n";
$server = new Server($handler, ['request_timeout_ms' => 1000]);
echo $get('says'), "\n", $get('none'), "\n", $server->stop();
echo "-- not where somebody has set that limit\n";
foreach ([[['timeout_is_firm' => true, 'request_timeout_ms' => 1000], []], [[], ['weft.http_request_timeout_ms=1000']]] as $limit) {
    $server = new Server($handler, ...$limit);
    echo rtrim($get('none')), "\n", $get('own'), "\n", $server->stop();
}
?>
--EXPECTF--
200 1
200 as much as others
200 as much as others
200 waited
200 as much as others
500 
shutdown: Maximum execution time of 1 second exceeded
200 began anew
200 0 is no limit
500 
200 1
exit status 0
PHP Fatal error:  Maximum execution time of 1 second exceeded in Command line code on line %d
PHP Fatal error:  Maximum execution time of 2 seconds exceeded in Command line code on line %d
-- by default, and with a request that may take longer in all
200 30
200 0 is no limit
exit status 0
-- not where somebody has set that limit
504 The request took longer than 1 s (--request-timeout).
200 a limit of its own
exit status 0
weft: GET /: nothing came of it for 1 s (--request-timeout): 504 was sent; it computed in Command line code:%d and is cancelled
504 The request took longer than 1 s (--request-timeout).
200 a limit of its own
exit status 0
weft: GET /: nothing came of it for 1 s (--request-timeout): 504 was sent; it computed in Command line code:%d and is cancelled
