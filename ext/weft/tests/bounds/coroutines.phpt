--TEST--
A request has so many coroutines at once and no more; memory_limit counts them; after its linger time it spawns none
--EXTENSIONS--
weft
--SKIPIF--
<?php if (getenv('USE_ZEND_ALLOC') === '0') die('skip it needs a memory limit'); ?>
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$server = new Server(<<<'PHP'
    $spawn = function (int $most, callable $task): string {
        for ($tasks = []; count($tasks) < $most;) {
            try {
                $tasks[] = Async\spawn($task);
            } catch (Weft\SpawnRefused $refused) {
                break;
            }
        }
        Async\await_all($tasks);
        return count($tasks) . (isset($refused) ? ': ' . get_parent_class($refused) . ': ' . $refused->getMessage() : '');
    };
    switch ($_GET['do']) {
        case 'many':
            echo $spawn(200, fn () => Async\delay(1)), "\n";
            // those have ended
            echo $spawn(50, fn () => null);
            break;
        case 'neighbour':
            echo $spawn(100, fn () => Async\delay(20));
            break;
        case 'iterate':
            try {
                Async\iterate(range(1, 200), fn () => Async\delay(1));
            } catch (Weft\SpawnRefused $refused) {
                echo $refused->getMessage();
            }
            break;
        case 'outlives':
            Async\spawn(function () {
                try {
                    Async\delay(60_000);
                } catch (Async\AsyncCancellation) {
                    try {
                        Async\spawn(fn () => null);
                    } catch (Weft\SpawnRefused $refused) {
                        fwrite(STDOUT, $refused->getMessage() . "\n");
                    }
                }
            });
            echo 'answered';
            break;
    }
    PHP, ['coroutines' => 100, 'linger_ms' => 50, 'max_memory' => 1 << 30], ['memory_limit=64M']);
$begin = fn (string $do) => $server->connect()->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
$clients = array_map($begin, ['neighbour', 'many', 'neighbour', 'iterate']);
foreach ($clients as $client) {
    echo $client->response()->line(), "\n";
}
echo $server->get('/?do=outlives'), "\n", $server->line();
echo $server->get('/?do=many'), "\n";
echo $server->stop();

// what each needs is the request's
$server = new Server(<<<'PHP'
    for ($i = 0; $i < (int) $_GET['count']; $i++) {
        Async\spawn(fn () => Async\delay(1));
    }
    echo $i;
    PHP, ['max_memory' => 1 << 30], ['memory_limit=12M']);
foreach ([500, 5000, 500] as $count) {
    echo $server->get("/?count=$count"), "\n";
}
echo preg_replace('/\d+ bytes\)/', 'N bytes)', $server->stop());

// and all together have half of the worker's
$server = new Server(<<<'PHP'
    try {
        for ($i = 0; $i < 9000; $i++) {
            Async\spawn(fn () => Async\delay(1));
        }
    } catch (Weft\SpawnRefused $refused) {
        echo $i > 500 && $i < 4000 ? 'some, then: ' : "$i, then: ", $refused->getMessage();
    }
    PHP, ['max_memory' => 32 << 20], ['memory_limit=-1']);
echo $server->get('/'), "\n", $server->stop();
?>
--EXPECTF--
200 100
200 100: Async\AsyncException: Async\spawn() is refused: this request has 100 coroutines, which is the limit (weft.coroutines)
50
200 100
200 Async\spawn() is refused: this request has 100 coroutines, which is the limit (weft.coroutines)
200 answered
Async\spawn() is refused: the request is over, and so is the time for what outlives it (weft.http_linger_ms)
200 100: Async\AsyncException: Async\spawn() is refused: this request has 100 coroutines, which is the limit (weft.coroutines)
50
exit status 0
weft: GET /: 1 coroutine still ran 50 ms after its end and will be cancelled (weft.http_linger_ms)
200 500
500 %S
200 500
exit status 0
PHP Fatal error:  Allowed memory size of 12582912 bytes exhausted (tried to allocate N bytes) in %s on line %d
%A200 some, then: Async\spawn() is refused: the coroutines of this worker's requests use half of its memory (--max-memory)
exit status 0
