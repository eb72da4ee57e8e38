--TEST--
Requests run while another is in a call of a guarded module; it is free again however that request ends, and waiting is limited
--EXTENSIONS--
weft
sqlite3
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

$handler = <<<'PHP'
    $in = function (callable $do): string {
        $db = new SQLite3(':memory:');
        $db->createFunction('run', $do);
        return 'own ' . $db->querySingle('SELECT run()');
    };
    $said = fn (string $what) => fwrite(STDOUT, "$what\n");
    switch ($_GET['me']) {
        case 'holds':
            isset($_GET['long']) && header('X-Weft-Timeout: 0');
            return print $in(function () use ($said): string {
                $said('inside');
                do {
                    usleep(1000);
                } while (!file_exists($_GET['file']));
                return 'holds';
            });
        case 'short':
            return print 'short';
        case 'calls':
            $said('comes');
            return print $in(fn (): string => $_GET['n']);
        case 'exit':
            $in(fn () => exit('exit'));
        case 'fatal':
            ini_set('display_errors', '0');
            $in(fn () => trigger_error('fatal', E_USER_ERROR));
        case 'memory':
            ini_set('memory_limit', '8M');
            $in(fn () => str_repeat('x', 100_000_000));
        case 'throws':
            @$in(fn () => throw new Exception('thrown'));
        case 'leaves':
            $fiber = new Fiber(fn () => $in(fn () => Fiber::suspend()));
            $fiber->start();
            return print 'leaves';
        case 'spawns':
            Async\spawn(fn () => $in(fn () => usleep(20_000)));
            usleep(1000);
            return print 'spawns';
    }
    PHP;
$server = new Server($handler, ['request_timeout_ms' => 1000, 'linger_ms' => 300], ['weft.guarded_modules=sqlite3']);
$file = __DIR__ . '/guarded_server.over';
$ask = fn (string $query) => $server->connect()->send("GET /?$query HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
$go = fn () => touch($file);
$holds = function (string $more = '') use ($ask, $server, $file): Client {
    @unlink($file);
    $client = $ask('me=holds&file=' . urlencode($file) . $more);
    echo $server->line();
    return $client;
};

$first = $holds();
$waiting = [];
for ($n = 1; $n <= 3; $n++) {
    $waiting[] = $ask("me=calls&n=$n");
    echo $server->line();
}
echo 'meanwhile: ', $server->get('/?me=short'), "\n";
$go();
echo $first->response()->line(), "\n";
foreach ($waiting as $client) {
    echo $client->response()->line(), "\n";
}

foreach (['exit', 'fatal', 'memory', 'throws', 'leaves', 'spawns'] as $me) {
    $ended = $server->get("/?me=$me");
    echo $me, ': ', strtok($ended, ' '), ', then ', $server->get('/?me=calls&n=next'), "\n", $server->line();
}

$first = $holds();
echo 'too long inside: ', $first->response()->line(), $server->get('/?me=calls&n=after'), "\n", $server->line();
$first = $holds('&long');
echo 'waits for too long: ', $ask('me=calls&n=late')->response()->line(), $server->line();
$go();
echo $first->response()->line(), "\n", $server->get('/?me=calls&n=after'), "\n", $server->line();
echo preg_replace('/^(?!exit).*\n?/m', '', $server->stop());
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/guarded_server.over');
?>
--EXPECT--
inside
comes
comes
comes
meanwhile: 200 short
200 own holds
200 own 1
200 own 2
200 own 3
exit: 200, then 200 own next
comes
fatal: 500, then 200 own next
comes
memory: 500, then 200 own next
comes
throws: 500, then 200 own next
comes
leaves: 200, then 200 own next
comes
spawns: 200, then 200 own next
comes
inside
too long inside: 504 The request took longer than 1 s (--request-timeout).
200 own after
comes
inside
waits for too long: 504 The request took longer than 1 s (--request-timeout).
comes
200 own holds
200 own after
comes
exit status 0
