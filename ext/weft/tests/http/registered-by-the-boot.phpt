--TEST--
Callbacks that the boot has registered serve each request: headers, output, ticks, signals, the session's end
--EXTENSIONS--
weft
session
pcntl
posix
--FILE--
<?php
require __DIR__ . '/server.inc';

$folder = sys_get_temp_dir() . '/weft-registered-' . getmypid();
mkdir($folder);
$before = <<<'PHP'
    final class Seen { public static array $what = []; }
    header_register_callback(function () { header('X-Seen: ' . implode(',', Seen::$what)); });
    ob_start(function (string $text, int $phase) {
        return $phase & PHP_OUTPUT_HANDLER_FINAL ? "[$text]" : $text;
    });
    ob_start();
    echo 'of the boot';
    declare(ticks=1);
    register_tick_function(function (object $argument) { $argument->ticks++; }, $ticking = new class { public int $ticks = 0; });
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () { Seen::$what[] = 'signal'; });
    final class Exits { public static bool $on = false; }
    register_shutdown_function(function () { if (Exits::$on) { exit; } });
    session_register_shutdown();
    PHP;
$server = new Server(<<<'PHP'
    global $ticking;
    $do = $_GET['do'];
    Seen::$what[] = $do;
    $first = $ticking->ticks;
    echo ob_get_level(), $do;
    header('X-Late: yes');
    switch ($do) {
        case 'waits':
            Async\delay(10);
            break;
        case 'own':
            header_register_callback(fn () => header('X-Seen: own'));
            break;
        case 'flushes':
            while (ob_get_level()) {
                ob_end_flush();
            }
            break;
        case 'kill':
            posix_kill(getmypid(), SIGUSR1);
            usleep(1000);
            break;
        case 'session':
            session_start();
            register_shutdown_function(function () { fwrite(STDOUT, 'session ' . session_status() . "\n"); });
            return;
        case 'exits':
            Exits::$on = true;
            register_shutdown_function(function () { echo 'never'; });
            break;
    }
    echo $ticking->ticks > $first ? ' ticked' : '';
    PHP, ini: ["session.save_path=$folder", 'session.use_cookies=0'], before: $before);
$begin = fn (string $do) => $server->connect()->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
$tell = function (Client $client) {
    $response = $client->response();
    echo $response->line(), ' | ', $response->headers['x-seen'] ?? 'none', ' ', $response->headers['x-late'] ?? '', "\n";
};
array_map($tell, array_map($begin, ['waits', 'waits', 'own', 'flushes']));
foreach (['kill', 'exits', 'plain', 'session'] as $do) {
    $tell($begin($do));
}
echo $server->line();
echo $server->stop();
array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
?>
--EXPECT--
200 [2waits ticked] | waits yes
200 [2waits ticked] | waits yes
200 [2own ticked] | own yes
200 [2flushes] ticked | flushes yes
200 [2kill ticked] | kill,signal yes
200 [2exits ticked] | exits yes
200 [2plain ticked] | plain yes
200 [2session] | session yes
session 1
exit status 0
[of the boot]
