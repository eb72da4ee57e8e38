--TEST--
Classic mode: a stream filter that spawns while the request's streams are closed is refused, and the worker lives
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$filter = 'class F extends php_user_filter { public function filter($in, $out, &$consumed, bool $closing): int {'
    . ' Async\spawn(function () { usleep(100); }); return PSFS_PASS_ON; } }'
    . ' stream_filter_register("f", "F"); $stream = fopen("php://memory", "r+"); stream_filter_append($stream, "f"); @fwrite($stream, "x");';
$site = new Site([
    'open.php' => "$filter echo 'left open';",
    'closed.php' => "$filter fclose(\$stream); echo 'closed';",
    'honest.php' => 'Async\await(Async\spawn(fn () => usleep(100))); echo getmypid();',
]);
$pid = $site->get('/honest.php');
for ($i = 0; $i < 5; $i++) {
    echo $site->get('/open.php'), ', ', $site->get('/closed.php'), ', ', $site->get('/honest.php') === $pid ? 'the same worker' : 'another worker', "\n";
}
echo strtok($site->stop(), "\n"), "\n";
?>
--EXPECT--
200 left open, 200 closed, the same worker
200 left open, 200 closed, the same worker
200 left open, 200 closed, the same worker
200 left open, 200 closed, the same worker
200 left open, 200 closed, the same worker
exit status 0
