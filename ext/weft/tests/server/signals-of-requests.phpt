--TEST--
SIGTERM ends a worker in good order whatever requests have done with the signal
--EXTENSIONS--
weft
pcntl
--FILE--
<?php
$free = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($free, false);
$port = (int) substr(strrchr($address, ':'), 1);
fclose($free);

$zygote = tempnam(sys_get_temp_dir(), 'weft');
file_put_contents($zygote, <<<'PHP'
<?php
Weft\Server\configuration();
Weft\Server\become_server();
Weft\Server\run(function () {
    switch ($_SERVER['REQUEST_URI']) {
        case '/who':
            echo getmypid();
            return;
        case '/ignore':
            pcntl_signal(SIGTERM, SIG_IGN);
            pcntl_signal(SIGINT, SIG_DFL);
            break;
        case '/handle':
            pcntl_signal(SIGTERM, fn () => null);
            break;
        case '/mask':
            pcntl_sigprocmask(SIG_BLOCK, [SIGTERM, SIGINT, SIGUSR1]);
            pcntl_sigprocmask(SIG_BLOCK, [SIGUSR2], $before);
            echo implode(' ', array_intersect($before, [SIGTERM, SIGINT])) ?: 'not blocked', ', ';
            break;
        case '/hold':
            pcntl_async_signals(true);
            pcntl_signal(SIGTERM, function () { echo 'handled, '; });
            pcntl_signal(SIGINT, SIG_DFL);
            posix_kill(getmypid(), SIGINT);
            posix_kill(getmypid(), SIGTERM);
            Async\delay(300);
    }
    echo 'done';
});
PHP);
$command = array_merge([getenv('TEST_PHP_EXECUTABLE')], preg_split('/\s+/', trim(str_replace(['"', "'"], '', getenv('TEST_PHP_EXTRA_ARGS')))));
$supervisor = sprintf(
    'exit(Weft\Server\supervise(%s, function () { echo "ready\n"; }));',
    var_export([
        'listen' => [['127.0.0.1', $port]],
        'command' => [...$command, $zygote],
        'configuration' => ['application' => 'none'],
    ], true),
);
$process = proc_open([...$command, '-r', $supervisor], [1 => ['pipe', 'w']], $pipes);
echo fgets($pipes[1]);

$get = function (string $path) use ($address): string {
    $client = stream_socket_client("tcp://$address");
    stream_set_timeout($client, 20);
    fwrite($client, "GET $path HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    return substr(strstr((string) stream_get_contents($client), "\r\n\r\n") ?: 'no response', 4);
};
$before = $get('/who');
foreach (['/ignore', '/handle', '/mask', '/hold'] as $path) {
    echo "$path: ", $get($path), "\n";
}
echo $get('/who') === $before ? "the worker has not heard it\n" : "the worker has heard it too and made room for another\n";
proc_terminate($process);
fclose($pipes[1]);
echo 'status ', proc_close($process), "\n";
unlink($zygote);
?>
--EXPECTF--
ready
/ignore: done
/handle: done
/mask: not blocked, done
/hold: handled, done
%Athe worker has heard it too and made room for another
status 0
