--TEST--
Classic mode: a script that takes too long is ended where it waits or computes, and others go on
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site([
    'waits.php' => 'for ($i = 0; $i < 10; $i++) { $own[] = new stdClass; }
        try { Async\delay(60_000); } finally { touch(__DIR__ . "/finally"); }',
    'computes.php' => 'for ($i = 0; $i < 10; $i++) { $own[] = new stdClass; }
        register_shutdown_function(fn () => touch(__DIR__ . "/shutdown"));
        while (true) { }',
    'index.php' => 'header("X-Weft-Timeout: 0");
        for ($i = 0; $i < 100; $i++) { $own[] = new ArrayObject([$i]); }
        while (!is_file(__DIR__ . "/finally") || !is_file(__DIR__ . "/shutdown")) {
            clearstatcache(); usleep(1000); $own[] = new ArrayObject; array_shift($own);
        }
        $ids = array_unique(array_map(spl_object_id(...), $own));
        echo count($ids), " ", count($own);',
], config: ['request_timeout_ms' => 300]);
$others = array_map($site->begin(...), ['/', '/']);
$ended = array_map($site->begin(...), ['/waits.php', '/computes.php']);
foreach ([...$ended, ...$others] as $client) {
    echo rtrim($client->response()->line()), "\n";
}
echo $site->stop();
--EXPECTF--
504 The request took longer than 0.3 s (--request-timeout).
504 The request took longer than 0.3 s (--request-timeout).
200 100 100
200 100 100
exit status 0
weft: GET %s: nothing came of it for 0.3 s (--request-timeout): 504 was sent; it %s in %s:%d and is cancelled
weft: GET %s: nothing came of it for 0.3 s (--request-timeout): 504 was sent; it %s in %s:%d and is cancelled
