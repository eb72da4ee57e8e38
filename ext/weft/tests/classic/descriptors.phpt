--TEST--
Classic mode: scripts that open all they can leave descriptors to others, and who finds none is told 503
--EXTENSIONS--
weft
posix
sockets
--FILE--
<?php
posix_setrlimit(POSIX_RLIMIT_NOFILE, 1024, 1024);
require __DIR__ . '/site.inc';

// opens until it is refused, says how many it has got, and keeps them until all are to end
$hog = fn (string $open, int $each = 1): string => '$kept = [];'
    . " while (count(\$kept) < 2000 && (\$one = @$open)) { \$kept[] = \$one; }\n"
    . "echo $each * count(\$kept); mkdir(\"\$_GET[who].hog\"); while (!is_dir('end')) { clearstatcache(); usleep(1000); }";
$await = function (int $hogs) use (&$site): void {
    while (count(glob("$site->root/*.hog")) < $hogs) {
        usleep(1000);
    }
};
$end = function (array $hogs) use (&$site): array {
    mkdir("$site->root/end");
    $got = array_map(fn (Client $hog): int => (int) $hog->response()?->body, $hogs);
    array_map(rmdir(...), ["$site->root/end", ...glob("$site->root/*.hog")]);
    return $got;
};
$site = new Site([
    'files.php' => $hog('fopen(__FILE__, "r")'),
    'sockets.php' => $hog('socket_create(AF_INET, SOCK_STREAM, 0)'),
    'pairs.php' => $hog('stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0)', 2),
    'directories.php' => $hog('opendir(__DIR__)'),
    'honest.php' => '$temporary = fopen("php://temp/maxmemory:0", "r+");
        echo "honest ", file_get_contents(__FILE__) !== false && scandir(__DIR__) && fwrite($temporary, "x") === 1 ? "and served" : "and hurt";',
    'there.php' => 'echo "there";',
    // whichever way one is closed; there is not room for so many at once
    'closes.php' => 'for ($i = 0; $i < 300; $i++) {
            $file = fopen(__FILE__, "r"); fclose($file);
            $directory = opendir(__DIR__); closedir($directory);
            $socket = socket_create(AF_INET, SOCK_STREAM, 0); socket_close($socket);
            $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0); unset($pair);
            $temporary = fopen("php://temp/maxmemory:0", "w"); fwrite($temporary, "x");
        }
        for ($i = 0; $i < 100; $i++) { pclose(popen("true", "r")); }
        for ($i = 0; $i < 50; $i++) { proc_close(proc_open("cat", [["pipe", "r"], ["pipe", "w"]], $pipes)); }
        echo "closed";',
    'leaves.php' => '$GLOBALS["left"] = array_map(fn () => fopen(__FILE__, "r"), range(1, 50)); if (count($left) === 50) { exit("left"); }',
]);
$hogs = array_map($site->begin(...), ['/files.php?who=1', '/sockets.php?who=2', '/pairs.php?who=3', '/directories.php?who=4']);
$await(4);
foreach (array_map($site->begin(...), array_fill(0, 6, '/honest.php')) as $client) {
    echo $client->response()?->line(), "\n";
}
$got = $end($hogs);
// together three sixteenths of 1024, less 32
echo max($got) <= 120 && max($got) >= 100 ? 'one has all but a quarter of what is for requests' : 'one has ' . max($got), ', ',
    array_sum($got) <= 120 + 4 * 8 ? 'all leave that' : 'all have ' . array_sum($got), "\n";
foreach (['/closes.php', '/leaves.php', '/leaves.php', '/leaves.php', '/leaves.php'] as $path) {
    echo $site->get($path), "\n";
}
// so many that nothing is left, until the next one can't even be opened
$hogs = [];
do {
    $hogs[] = $last = $site->begin('/files.php?who=' . count($hogs));
    do {
        usleep(1000);
        $holds = is_dir("$site->root/" . count($hogs) - 1 . '.hog');
        [$readable, $none] = [[$last->socket], null];
    } while (!$holds && !stream_select($readable, $none, $none, 0));
} while ($holds && count($hogs) < 30);
echo array_pop($hogs)->response()?->line(), $site->get('/not_there.php');
$end($hogs);
echo $site->get('/there.php'), "\n", $site->stop();
?>
--EXPECTF--
200 honest and served
200 honest and served
200 honest and served
200 honest and served
200 honest and served
200 honest and served
one has all but a quarter of what is for requests, all leave that
200 closed
200 left
200 left
200 left
200 left
503 Service unavailable.
404 Not Found
200 there
exit status 0
weft: a request has %d descriptors open and gets no more ("Too many open files"): all requests of this worker have %d, together they may have 160, of which one leaves a quarter to others, and one 128. See that files and connections are closed, or raise the hard limit (ulimit -Hn, LimitNOFILE=)
