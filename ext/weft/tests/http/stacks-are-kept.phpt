--TEST--
A server keeps the stacks of as many requests as run at once: those of the next crowd find them, whose pages are there already
--EXTENSIONS--
weft
--SKIPIF--
<?php if (getenv('ASAN_OPTIONS') || getenv('USE_ZEND_ALLOC') === '0') die("skip it counts page faults: a sanitizer's own memory has more"); ?>
--FILE--
<?php
require __DIR__ . '/server.inc';

const CROWD = 200;

/* Whoever comes says so, and waits. */
$server = new Server(<<<'PHP'
    if ($_SERVER['REQUEST_URI'] === '/faults') {
        echo getrusage()['ru_minflt'];
        return;
    }
    file_put_contents("{$_SERVER['HTTP_IN']}/{$_SERVER['HTTP_WHO']}", '');
    while (is_dir($_SERVER['HTTP_IN'])) {
        usleep(20000);
        clearstatcache();
    }
    echo 'done';
    PHP, ['concurrency' => CROWD], ['weft.stack_pool=0']);

function crowd(Server $server): int
{
    $folder = sys_get_temp_dir() . '/weft-crowd-' . bin2hex(random_bytes(6));
    mkdir($folder);
    for ($i = 0; $i < CROWD; $i++) {
        $clients[] = $server->connect()->send("GET / HTTP/1.1\r\nHost: test\r\nIn: $folder\r\nWho: $i\r\nConnection: close\r\n\r\n");
    }
    while (count(glob("$folder/*")) < CROWD) {
        usleep(1000);
    }
    rename($folder, "$folder-left");
    $answers = array_count_values(array_map(fn (Client $client): string => $client->response()->line(), $clients));
    echo json_encode($answers), "\n";
    array_map(unlink(...), glob("$folder-left/*"));
    rmdir("$folder-left");

    return (int) $server->connect()->send("GET /faults HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")->response()->body;
}

crowd($server);
$before = crowd($server);
$faults = crowd($server) - $before;
// a stack of which nothing is left has two pages at least
echo $faults < CROWD ? "nearly none has touched a new page\n" : "$faults pages were new\n";
echo $server->stop();
?>
--EXPECT--
{"200 done":200}
{"200 done":200}
{"200 done":200}
nearly none has touched a new page
exit status 0
