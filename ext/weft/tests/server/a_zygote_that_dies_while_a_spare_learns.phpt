--TEST--
A zygote that dies while a spare learns is replaced at once
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
    touch(__FILE__ . '.learns');
    sleep(60);
}
Weft\Server\tell_warm("=/\n");
Weft\Server\run(function () {
    Weft\Http\name_route('busy');
    echo posix_getppid();
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
$until = hrtime(true) + 30_000_000_000;
while (!file_exists("$zygote.learns") && hrtime(true) < $until) {
    usleep(20_000);
}
$old = (int) $get('/');
posix_kill($old, SIGKILL);
do {
    usleep(20_000);
    $new = (int) $get('/');
} while (($new === 0 || $new === $old || !str_contains((string) file_get_contents("/proc/$new/comm"), 'zygote')) && hrtime(true) < $until);
var_dump(hrtime(true) < $until);
posix_kill(proc_get_status($process)['pid'], SIGTERM);
echo implode("\n", preg_grep('/ GET /', explode("\n", stream_get_contents($pipes[1])), PREG_GREP_INVERT));
var_dump(proc_close($process));
array_map(unlink(...), [$zygote, "$zygote.learns"]);
?>
--EXPECTF--
ready
bool(true)
weft: the zygote (%d) ended with signal 9 (Killed); a new one starts
weft: a new zygote (%d) and its workers serve
int(0)
