--TEST--
Shutdown functions that the boot has registered run at the end of each request, before the request's own
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$boot = <<<'PHP'
    final class Log
    {
        public array $lines = [];
        public ?string $reserved = null;

        public function __call(string $name, array $arguments): void
        {
            $this->lines[] = "$name$arguments[0]";
        }

        public function last(string $of, object $by): void
        {
            $error = error_get_last();
            $this->lines[] = $of;
            fwrite(STDOUT, ($_GET['do'] ?? 'process') . ' ' . implode(',', $this->lines) . ': ' . strtok($error['message'] ?? 'no error', "\n") . "\n");
        }
    }
    $log = new Log();
    $log->reserved = str_repeat('x', 2 << 20);
    register_shutdown_function(function () use ($log) {
        $log->lines[] = 'boot';
        // what a framework frees for this it has reserved at boot
        $log->reserved = null;
        $work = str_repeat('y', 2 << 20);
        if (($_GET['do'] ?? '') === 'wait') {
            Async\delay(5);
        }
        // runs after the request's own
        register_shutdown_function([$log, 'last'], 'late', new stdClass());
        http_response_code() === 500 && header('X-Seen: by the boot');
        echo 'printed';
    });
    register_shutdown_function([$log, 'magic'], 1);
    PHP;
$server = new Server(<<<'PHP'
    global $log;
    register_shutdown_function(function () use ($log) {
        $log->lines[] = 'own';
    });
    $log->lines[] = $_GET['do'];
    switch ($_GET['do']) {
        case 'wait':
            Async\delay(5);
            break;
        case 'exit':
            exit;
        case 'throw':
            throw new LogicException('thrown');
        case 'memory':
            $held = str_repeat('x', 100 << 20);
        case 'much':
            for (;;) {
                $GLOBALS['held'][] = str_repeat('x', 1000);
            }
        case 'time':
            set_time_limit(1);
            for (;;) {
            }
        case 'twice':
            eval('function twice() {} function twice() {}');
    }
    PHP, config: ['memory_share' => 0], ini: ['memory_limit=32M', 'html_errors=0'], before: $boot);
foreach (['plain', 'exit', 'throw', 'memory', 'much', 'time', 'twice'] as $do) {
    $response = $server->connect()->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")->response();
    echo $response->line(), ', ', $response->headers['x-seen'] ?? '', "\n", $server->line();
}
echo "-- several at once\n";
$clients = array_map(fn () => $server->connect()->send("GET /?do=wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), range(1, 3));
foreach ($clients as $client) {
    echo $client->response()->line(), ', ', $server->line();
}
$ends = $server->stop();
echo implode("\n", array_filter(explode("\n", $ends), fn (string $line) => !str_starts_with($line, 'PHP Fatal') && !str_starts_with($line, " "))), "\n";
?>
--EXPECTF--
200 printed, 
plain plain,boot,magic1,own,late: no error
200 printed, 
exit exit,boot,magic1,own,late: no error
500 printed, by the boot
throw throw,boot,magic1,own,late: Uncaught LogicException: thrown in %s
500 printed, by the boot
memory memory,boot,magic1,own,late: Allowed memory size of 33554432 bytes exhausted%s
500 printed, by the boot
much much,boot,magic1,own,late: Allowed memory size of 33554432 bytes exhausted%s
500 printed, by the boot
time time,boot,magic1,own,late: Maximum execution time of 1 second exceeded
500 printed, by the boot
twice twice,boot,magic1,own,late: Cannot redeclare %Stwice() (previously declared in %s)
-- several at once
200 printed, wait wait,boot,magic1,own,late: no error
200 printed, wait wait,boot,magic1,own,late: no error
200 printed, wait wait,boot,magic1,own,late: no error
exit status 0
printedprocess boot,magic1,late: no error
