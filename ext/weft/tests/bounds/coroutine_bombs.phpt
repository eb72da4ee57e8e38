--TEST--
Requests that spawn for ever cost their neighbours nothing but turns, and the worker no more memory than it has
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../classic/site.inc';

$bomb = '$b = function () use (&$b) { Async\spawn($b); Async\spawn($b); usleep(100); }; Async\spawn($b); usleep(500_000); echo "over";';
$honest = 'usleep(1000); echo "fine";';
$config = ['linger_ms' => 100, 'max_memory' => 96 << 20, 'coroutines' => 10000];

/** What becomes of honest requests while such ones run and linger. */
function beside(Server $server, string $bomb, string $honest): void
{
    $begin = fn (string $path) => $server->connect()->send("GET $path HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    $bombs = array_map($begin, [$bomb, $bomb, $bomb]);
    for ($i = 0; $i < 40; $i++) {
        $answers[] = $server->get($honest);
    }
    echo implode(', ', array_unique($answers)), '; ';
    echo implode(', ', array_unique(array_map(fn (Client $client) => $client->response()->line(), $bombs))), '; ';
    usleep(200_000); // what lingers is cancelled, and spawns no more
    echo $server->get($honest), '; ';
    preg_match('/VmHWM:\s+(\d+)/', file_get_contents("/proc/{$server->pid()}/status"), $peak);
    echo $peak[1] < 200 << 10 ? 'bounded' : "$peak[1] kB", "\n";
    $log = $server->stop();
    echo strtok($log, "\n"), ', ', str_contains($log, 'Weft\SpawnRefused') ? 'refused' : 'never refused', "\n";
}

beside(new Server("if (\$_SERVER['REQUEST_URI'] === '/bomb') { $bomb } else { $honest }", $config), '/bomb', '/honest');

$site = new Site(['bomb.php' => $bomb, 'honest.php' => $honest], config: $config);
beside((new ReflectionProperty($site, 'server'))->getValue($site), '/bomb.php', '/honest.php');
array_map(unlink(...), glob("$site->root/*"));
rmdir($site->root);
?>
--EXPECT--
200 fine; 200 over; 200 fine; bounded
exit status 0, refused
200 fine; 200 over; 200 fine; bounded
exit status 0, refused
