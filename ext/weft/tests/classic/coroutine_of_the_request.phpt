--TEST--
Classic mode: the object of a request's own coroutine goes with the request, whose objects stand apart from all others
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$held = '$GLOBALS["held"] = Async\current_coroutine();';
$scripts = [
    'held' => "$held echo 'held';",
    'not held' => 'Async\current_coroutine(); echo "not held";',
    'in a cycle' => '$a = new stdClass(); $a->a = $a; $a->me = Async\current_coroutine(); unset($a); echo "in a cycle";',
    'held by one that lives longer' => '$me = Async\current_coroutine(); Async\spawn(function () use ($me) { usleep(2000); $me->getId(); }); echo "longer";',
    'not held, and one lives longer' => 'Async\current_coroutine(); Async\spawn(function () { usleep(2000); }); echo "not held";',
    'awaited' => '$me = Async\current_coroutine(); Async\spawn(function () use ($me) { Async\await($me); }); usleep(100); echo "awaited";',
    'exit' => "$held exit('exit');",
    'fatal error' => "$held trigger_error('fatal', E_USER_ERROR);",
    'honest' => '$kept = []; for ($i = 0; $i < 20; $i++) { $kept[] = (object) ["text" => "t$i"]; } usleep(1000);'
        . ' echo implode(",", array_column($kept, "text")) === implode(",", array_map(fn ($i) => "t$i", range(0, 19))) ? "honest" : "WRONG";',
];
$files = [];
foreach (array_values($scripts) as $i => $code) {
    $files["$i.php"] = $code;
}
$site = new Site($files);
$paths = array_map(fn (int $i): string => "/$i.php", array_flip(array_keys($scripts)));
$answers = fn (array $clients): string => implode(' / ', array_unique(array_map(fn (Client $client): string => $client->response()?->line() ?? 'no response', $clients)));
foreach (array_keys($scripts) as $name) {
    $clients = $honest = [];
    for ($i = 0; $i < 10; $i++) {
        $clients[] = $site->begin($paths[$name]);
        $honest[] = $site->begin($paths['honest']);
    }
    usleep(3000);
    $honest[] = $site->begin($paths['honest']);
    echo "$name: ", $answers($clients), ', ', $answers($honest), "\n";
}
echo strtok($site->stop(), "\n"), "\n";
?>
--EXPECT--
held: 200 held, 200 honest
not held: 200 not held, 200 honest
in a cycle: 200 in a cycle, 200 honest
held by one that lives longer: 200 longer, 200 honest
not held, and one lives longer: 200 not held, 200 honest
awaited: 200 awaited, 200 honest
exit: 200 exit, 200 honest
fatal error: 500 , 200 honest
honest: 200 honest, 200 honest
exit status 0
