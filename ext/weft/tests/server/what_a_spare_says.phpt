--TEST--
A spare may say any bytes of what it has learnt: the supervisor takes lines, and nothing else
--EXTENSIONS--
weft
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
while (Weft\Server\fork_spare()) {
    Weft\Server\wait_as_spare(1, 1.0);
    Weft\Server\last_words("-/busy\tthrown by class@anonymous\0/app.php:3\n!class@anonymous\0/app.php\n");
}
Weft\Server\tell_warm("=/\n");
Weft\Server\run(function () {
    Weft\Http\name_route('busy');
    echo 'served';
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
$process = proc_open([...$command, '-r', $supervisor], [1 => ['pipe', 'w'], 2 => ['redirect', 1]], $pipes);
stream_set_timeout($pipes[1], 30);
echo fgets($pipes[1]);

$get = function (string $path) use ($address): string {
    $client = @stream_socket_client("tcp://$address");
    if ($client === false) {
        return 'nobody is there';
    }
    stream_set_timeout($client, 20);
    fwrite($client, "GET $path HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    return substr(strstr((string) stream_get_contents($client), "\r\n\r\n") ?: 'no response', 4);
};
for ($i = 0; $i < 30; $i++) {
    $get('/busy');
}
do {
    $line = fgets($pipes[1]);
    echo str_contains((string) $line, ' GET ') ? '' : $line;
} while ($line !== false && !str_starts_with($line, 'weft: nothing was learnt'));
echo $get('/busy'), "\n";
posix_kill(proc_get_status($process)['pid'], SIGTERM);
stream_get_contents($pipes[1]);
var_dump(proc_close($process));
unlink($zygote);
?>
--EXPECT--
ready
weft: /busy is not learnt: the process that tried it has ended
weft: nothing was learnt from the traffic: exit status 0; the old workers serve on
served
int(0)
