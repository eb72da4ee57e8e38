--TEST--
Work after the response has the request's limits for memory and CPU time, and weft.http_linger_ms; the log names the request
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

const WHERE = [
    'the request' => 'Weft\Http\finish_request(); try { %s } finally { $end(); }',
    'a shutdown function' => 'register_shutdown_function(function () use ($end) { Weft\Http\finish_request(); try { %s } finally { $end(); } });',
    'a coroutine' => 'Async\spawn(function () use ($end) { try { usleep(1000); %s } finally { $end(); } });',
];

/** Ends when all of its requests have. */
function serve(int $linger, array $all): void
{
    $code = 'echo "answered"; $end = fn () => fwrite(STDOUT, "its finally block has run\n"); switch ($_GET["do"] ?? "") { case "": return;';
    foreach (array_values($all) as $i => $work) {
        foreach (array_values(WHERE) as $j => $where) {
            $code .= "case '$i$j': " . sprintf($where, $work) . ' return;';
        }
    }
    $config = ['linger_ms' => $linger, 'concurrency' => 100, 'memory_share' => 0];
    $server = new Server("$code }", $config, ['memory_limit=32M', 'max_execution_time=1', 'html_errors=0']);
    foreach (array_keys($all) as $i => $work) {
        foreach (array_keys(WHERE) as $j => $where) {
            $clients["$work in $where"] = $server->connect()->send("GET /$i$j?do=$i$j HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        }
    }
    foreach ($clients as $name => $client) {
        ($line = $client->response()->line()) === '200 answered' || print("$name: $line\n");
    }
    $said = $server->stop();
    echo strtok($said, "\n"), ', ', substr_count($said, 'its finally block has run'), " finally blocks\n";
    foreach (array_keys($all) as $i => $work) {
        foreach (array_keys(WHERE) as $j => $where) {
            preg_match_all("{^weft: GET /$i$j: .*$}m", $said, $lines);
            $lines = preg_replace(['/^weft: GET \S+ /', '/ in Command line code:\d+/'], '', $lines[0]);
            echo "$work in $where:", $lines ? "\n    " . implode("\n    ", $lines) : ' no line of Weft', "\n";
        }
    }
    preg_match_all('/PHP Fatal error:  (Max\w+ \w+ time|Allowed memory size)/', $said, $errors);
    $count = array_count_values($errors[1]);
    ksort($count); // whichever came first
    print_r($count);
}

serve(600, [
    'waits' => 'sleep(60);',
    'waits again and again' => 'while (true) { usleep(1000); set_time_limit(60); }',
    'catches all' => 'while (true) { try { while (true) { usleep(1000); } } catch (Throwable) { } }',
    'goes on in finally' => 'while (true) { (function () { try { Async\delay(60_000); } finally { return; } })(); }',
    'prints' => 'while (true) { echo str_repeat("x", 100); usleep(1000); }',
]);
serve(600_000, [
    'computes' => 'while (true) { }',
    'grows' => 'while (true) { $GLOBALS["grown"][] = str_repeat("x", 100_000); usleep(10); }',
    'prints into a buffer' => 'ob_start(); while (true) { echo str_repeat("x", 100_000); usleep(10); }',
]);
?>
--EXPECT--
exit status 0, 11 finally blocks
waits in the request:
    still ran 600 ms after its response (weft.http_linger_ms): it waited (sleep) and is cancelled
waits in a shutdown function:
    still ran 600 ms after its response (weft.http_linger_ms): it waited (sleep) and is cancelled
waits in a coroutine:
    1 coroutine still ran 600 ms after its end and will be cancelled (weft.http_linger_ms)
waits again and again in the request:
    still ran 600 ms after its response (weft.http_linger_ms): it waited (usleep) and is cancelled
waits again and again in a shutdown function:
    still ran 600 ms after its response (weft.http_linger_ms): it waited (usleep) and is cancelled
waits again and again in a coroutine:
    1 coroutine still ran 600 ms after its end and will be cancelled (weft.http_linger_ms)
catches all in the request:
    still ran 600 ms after its response (weft.http_linger_ms): it waited (usleep) and is cancelled
catches all in a shutdown function:
    still ran 600 ms after its response (weft.http_linger_ms): it waited (usleep) and is cancelled
catches all in a coroutine:
    1 coroutine still ran 600 ms after its end and will be cancelled (weft.http_linger_ms)
    1 coroutine still ran 600 ms after its end and will be cancelled (weft.http_linger_ms)
goes on in finally in the request:
    still ran 600 ms after its response (weft.http_linger_ms): it waited (delay) and is cancelled
    still ran 600 ms after it was cancelled (weft.http_linger_ms), and is ended as by exit()
goes on in finally in a shutdown function:
    still ran 600 ms after its response (weft.http_linger_ms): it waited (delay) and is cancelled
    still ran 600 ms after it was cancelled (weft.http_linger_ms), and is ended as by exit()
goes on in finally in a coroutine:
    1 coroutine still ran 600 ms after its end and will be cancelled (weft.http_linger_ms)
    1 coroutine still ran 600 ms after its end and will be cancelled (weft.http_linger_ms)
prints in the request:
    still ran 600 ms after its response (weft.http_linger_ms): it waited (usleep) and is cancelled
prints in a shutdown function:
    still ran 600 ms after its response (weft.http_linger_ms): it waited (usleep) and is cancelled
prints in a coroutine:
    1 coroutine still ran 600 ms after its end and will be cancelled (weft.http_linger_ms)
Array
(
)
exit status 0, 0 finally blocks
computes in the request: no line of Weft
computes in a shutdown function: no line of Weft
computes in a coroutine:
    a coroutine computed for longer than max_execution_time after its end
grows in the request: no line of Weft
grows in a shutdown function: no line of Weft
grows in a coroutine: no line of Weft
prints into a buffer in the request: no line of Weft
prints into a buffer in a shutdown function: no line of Weft
prints into a buffer in a coroutine: no line of Weft
Array
(
    [Allowed memory size] => 6
    [Maximum execution time] => 3
)
