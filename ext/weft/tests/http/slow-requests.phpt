--TEST--
A slow request has one warning that says where its time went
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    match (strtok($_SERVER["REQUEST_URI"], "?")) {
        "/waits" => usleep(700_000),
        "/computes" => (static function (): void {
            header("X-Weft-Timeout: 0");
            $cpu = static fn () => getrusage()["ru_utime.tv_sec"] * 1e6 + getrusage()["ru_utime.tv_usec"];
            for ($end = $cpu() + 600_000; $cpu() < $end;) {
                str_repeat("x", 100_000);
            }
        })(),
        "/too-long" => sleep(60),
        "/beside" => sleep(60),
        default => null,
    };
', ['slow_ms' => 500, 'request_timeout_ms' => 10_000, 'log_json' => 1]);
foreach (['/quick', "/waits?secret=1", '/computes'] as $path) {
    $client = $server->connect();
    stream_set_timeout($client->socket, 100); // until it has got its CPU time
    $client->send("GET $path HTTP/1.1\r\nHost: a\r\nX-Request-Id: id-of-" . strtok(substr($path, 1), '?') . "\r\nConnection: close\r\n\r\n")->response();
}
// it can't begin before its body has come
$late = $server->connect()->send("POST /late HTTP/1.1\r\nHost: a\r\nX-Request-Id: id-of-late\r\nConnection: close\r\nContent-Length: 1\r\n\r\n");
usleep(750_000);
$late->send('x')->response();
// the time limit of the one is noticed while the values of the other are in place
$both = [];
foreach (['too-long', 'beside'] as $name) {
    $both[] = $server->connect()->send("GET /$name HTTP/1.1\r\nHost: a\r\nX-Request-Id: id-of-$name\r\nConnection: close\r\n\r\n");
    usleep(400_000);
}
foreach ($both as $client) {
    $client->response();
}
$second = new Server('usleep(50_000);', ['log_json' => 1]);
$second->get('/none-is-slow');

foreach ([$server, $second] as $one) {
    foreach (array_slice(explode("\n", rtrim($one->stop())), 1) as $line) {
        ['level' => $level, 'message' => $message] = $record = json_decode($line, true);
        if (str_contains($message, '--request-timeout')) {
            echo $record['request_id'] ?? 'no id', strpos($message, "GET /too-long:") ? " took too long\n" : " took too long, beside\n";
        }
        $parts = '([\d.]+) ms before it began, ([\d.]+) ms of CPU, ([\d.]+) ms waiting; queries: 0, which took 0\.0 ms';
        if (!preg_match("/slow: (.*) took ([\\d.]+) ms .* until (\\d+) was .*: $parts$/", $message, $match)) {
            continue;
        }
        [, $name, $all, $status, $queued, $cpu, $waited] = $match;
        echo $level, ' ', $record['request_id'] ?? 'no id', ' ', $name, ' ', $status, $queued >= 690 ? ' queued' : '',
            $waited >= 690 && in_array($name, ['GET /waits', 'GET /too-long', 'GET /beside'], true) ? ' waited' : '', $cpu >= 500 ? ' computed' : '',
            $all < 500 ? ' is not slow' : '', "\n";
    }
}
?>
--EXPECT--
warning id-of-waits GET /waits 200 waited
warning id-of-computes GET /computes 200 computed
warning id-of-late POST /late 200 queued
warning id-of-too-long GET /too-long 504 waited
id-of-too-long took too long
warning id-of-beside GET /beside 504 waited
id-of-beside took too long, beside
