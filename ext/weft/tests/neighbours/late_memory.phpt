--TEST--
Classic mode: memory that is exhausted after a request is over, in what its coroutines have registered for the end, is no other request's error
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../classic/site.inc';

$exhausts = '$large = str_repeat("x", 200 << 20);';
$site = new Site([
    'at-once.php' => "Async\\spawn(function () { register_shutdown_function(function () { $exhausts }); }); echo 'over';",
    'late.php' => "Async\\spawn(function () { usleep(20000); register_shutdown_function(function () { $exhausts }); }); echo 'over';",
    'destructor.php' => "class Late { function __destruct() { $exhausts } } Async\\spawn(function () { usleep(20000); \$GLOBALS['late'] = new Late(); }); echo 'over';",
    'honest.php' => 'usleep(3000); echo "honest";',
]);
foreach (['at-once', 'late', 'destructor'] as $name) {
    $ends = $site->begin("/$name.php");
    $honest = [];
    for ($i = 0; $i < 20; $i++) {
        $honest[] = $site->begin('/honest.php')->response()->line();
        usleep(2000);
    }
    echo "$name: ", $ends->response()->line(), ', ', implode(', ', array_unique($honest)), "\n";
}
echo preg_replace('/^.*Allowed memory size of.*$/m', 'memory', preg_replace('/^(?:Stack trace:|#\d).*\n/m', '', $site->stop())), "\n";
?>
--EXPECTF--
at-once: 200 over, 200 honest
late: 200 over, 200 honest
destructor: 200 over, 200 honest
exit status %d
memory
memory
memory
