--TEST--
Whatever signal a request, or a program that it starts, sends to the supervisor, the zygote or its worker: they serve on
--EXTENSIONS--
weft
pcntl
posix
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
    $worker = getmypid();
    $zygote = posix_getppid();
    $supervisor = (int) explode(' ', strrchr(file_get_contents("/proc/$zygote/stat"), ')'))[2];
    $but = fn (int ...$out): string => implode(' ', array_diff(range(1, 64), [SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, ...$out]));
    // it stays for a moment, so that whoever gets a signal can see where it comes from
    $send = fn (int $pid, string $signals) => exec("for s in $signals; do kill -\$s $pid; done; sleep 0.3");
    switch ($_SERVER['REQUEST_URI']) {
        case '/supervisor':
            $send($supervisor, $but(SIGHUP, SIGUSR2)); // which have it reload
            break;
        case '/zygote':
            $send($zygote, $but());
            break;
        case '/worker':
            $send($worker, $but(SIGTERM, SIGQUIT)); // which have another one take its place, in good order
            break;
        case '/default':
            foreach ([SIGALRM, SIGUSR1, SIGHUP, SIGVTALRM, SIGXCPU, 40] as $number) {
                pcntl_signal($number, fn () => null);
                pcntl_signal($number, SIG_DFL);
                posix_kill($worker, $number);
            }
            break;
        case '/alarm':
            pcntl_alarm(1);
            $until = hrtime(true) + 1_200_000_000;
            while (hrtime(true) < $until) {
                usleep(10000);
            }
            break;
        case '/child':
            $pid = pcntl_fork();
            if ($pid === 0) {
                sleep(20);
                exit(1);
            }
            usleep(20000);
            posix_kill($pid, SIGTERM);
            pcntl_waitpid($pid, $status);
            echo 'child ended by ', pcntl_wtermsig($status), ', ';
    }
    echo "$supervisor $zygote $worker";
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
$process = proc_open([...$command, '-r', $supervisor], [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes);
echo fgets($pipes[1]);

$get = function (string $path) use ($address): string {
    $client = stream_socket_client("tcp://$address");
    stream_set_timeout($client, 20);
    fwrite($client, "GET $path HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    return substr(strstr((string) stream_get_contents($client), "\r\n\r\n") ?: 'no response', 4);
};
$who = $get('/');
foreach (['/supervisor', '/zygote', '/worker', '/default', '/alarm', '/child'] as $path) {
    echo "$path: ", str_replace($who, 'the same processes', $get($path)), ', then ', str_replace($who, 'the same', $get('/')), "\n";
}
proc_terminate($process);
$log = stream_get_contents($pipes[2]);
echo 'status ', proc_close($process), "\n";
echo implode("\n", array_unique(array_filter(preg_replace('/process \d+/', 'process N', explode("\n", $log)), fn ($line) => str_contains($line, 'ignored')))), "\n";
unlink($zygote);
?>
--EXPECT--
ready
/supervisor: the same processes, then the same
/zygote: the same processes, then the same
/worker: the same processes, then the same
/default: the same processes, then the same
/alarm: the same processes, then the same
/child: child ended by 15, the same processes, then the same
status 0
weft: ignored SIGINT from process N, which a request of this server has started; "weft stop" stops it
weft: ignored SIGQUIT from process N, which a request of this server has started; "weft stop" stops it
weft: ignored SIGTERM from process N, which a request of this server has started; "weft stop" stops it
