--TEST--
weft.http_request_timeout_ms: who waits for a lock has waited, though he was just about to try again
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$lock = tempnam(sys_get_temp_dir(), 'weft-test-');
// one computes, and is not left meanwhile: then both are due, the other one's next try and his limit
$server = new Server('
    if ($_SERVER["REQUEST_URI"] === "/computes") {
        for ($end = hrtime(true) + 1_000_000_000; hrtime(true) < $end;);
        return;
    }
    $file = fopen(' . var_export($lock, true) . ', "c");
    header("X-Weft-Timeout: 0.5");
    fwrite(STDOUT, "waits\n");
    flock($file, LOCK_EX);
', [], ['weft.time_slice=0']);
$held = fopen($lock, 'c');
flock($held, LOCK_EX);
$waits = $server->connect()->send("GET /waits HTTP/1.1\r\nHost: a\r\n\r\n");
echo $server->line();
$computes = $server->connect()->send("GET /computes HTTP/1.1\r\nHost: a\r\n\r\n");
echo $waits->response()->status, ' ', $computes->response()->status, "\n";
unlink($lock);
echo $server->stop();
?>
--EXPECTF--
waits
504 200
exit status 0
weft: GET /waits: nothing came of it for 0.5 s (--request-timeout): 504 was sent; it waited (flock) in Command line code:%d and is cancelled
