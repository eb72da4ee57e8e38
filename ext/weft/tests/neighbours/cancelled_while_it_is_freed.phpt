--TEST--
Classic mode: a linger time that passes while the last coroutine of a request frees its objects harms no other request
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../classic/site.inc';

/** Keeps its worker from all else until the linger time has passed, so that timers are next when the coroutine has ended. */
$passes = 'hash_pbkdf2("sha256", "a", "b", 200_000);';
$site = new Site([
    'fatal.php' => "Async\\spawn(function () { usleep(1000); $passes trigger_error('late', E_USER_ERROR); }); echo 'over';",
    'memory.php' => "Async\\spawn(function () { usleep(1000); $passes \$large = str_repeat('x', 200 << 20); }); echo 'over';",
    'returns.php' => "\$GLOBALS['kept'] = new ArrayObject(); Async\\spawn(function () { usleep(1000); $passes }); echo 'over';",
    'honest.php' => '$kept = []; for ($i = 0; $i < 200; $i++) { $kept[] = new ArrayObject([$i]); $kept[] = new Exception("$i"); } usleep(1000); echo "honest";',
], ['error_log=/dev/null'], config: ['linger_ms' => 1]);
foreach (['fatal', 'memory', 'returns'] as $name) {
    $lines = [];
    for ($i = 0; $i < 10; $i++) {
        $clients = [$site->begin('/honest.php'), $site->begin("/$name.php"), $site->begin('/honest.php')];
        foreach ($clients as $client) {
            $lines[] = $client->response()?->line() ?? 'no response';
        }
    }
    print_r(array_count_values($lines));
}
echo strtok($site->stop(), "\n"), "\n";
?>
--EXPECT--
Array
(
    [200 honest] => 20
    [200 over] => 10
)
Array
(
    [200 honest] => 20
    [200 over] => 10
)
Array
(
    [200 honest] => 20
    [200 over] => 10
)
exit status 0
