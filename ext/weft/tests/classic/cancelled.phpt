--TEST--
Classic mode: what cancels a request, or coroutines that outlive it, is one of its own objects, while others are in place
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site([
    'outlives.php' => 'for ($i = 0; $i < 10; $i++) { $own[] = new stdClass; }
        Async\spawn(function () use (&$own) {
            try {
                Async\delay(60_000);
            } catch (Async\AsyncCancellation $e) {
                touch(__DIR__ . "/heard-" . spl_object_id($e));
                $own[] = clone $own[0];
                throw $e;
            }
        });
        echo "answered";',
    'waits.php' => 'for ($i = 0; $i < 10; $i++) { $own[] = new stdClass; }
        try { touch(__DIR__ . "/waiting"); Async\delay(60_000); } finally { touch(__DIR__ . "/finally"); }',
    'index.php' => 'for ($i = 0; $i < 100; $i++) { $own[] = new ArrayObject([$i]); }
        $until = $_GET["until"];
        while (!glob(__DIR__ . "/$until*")) { usleep(1000); $own[] = new ArrayObject; array_shift($own); }
        $ids = array_unique(array_map(spl_object_id(...), $own));
        echo count($ids), " ", count($own), " ", array_sum(array_map(fn ($a) => count($a), $own)) <= 100 ? "right" : "wrong";',
], config: ['linger_ms' => 50, 'hang_up_cancels' => true]);
$others = array_map($site->begin(...), ['/?until=heard', '/?until=heard']);
echo $site->get('/outlives.php'), "\n";
foreach ($others as $other) {
    echo $other->response()->line(), "\n";
}
$others = array_map($site->begin(...), ['/?until=finally', '/?until=finally']);
$waits = $site->begin('/waits.php');
while (!is_file("$site->root/waiting")) {
    usleep(1000);
}
$waits->close();
foreach ($others as $other) {
    echo $other->response()->line(), "\n";
}
echo implode(' ', array_map(basename(...), glob("$site->root/heard-*"))), "\n";
echo $site->stop();
--EXPECT--
200 answered
200 100 100 right
200 100 100 right
200 100 100 right
200 100 100 right
heard-13
exit status 0
weft: GET /outlives.php: 1 coroutine still ran 50 ms after its end and will be cancelled (weft.http_linger_ms)
