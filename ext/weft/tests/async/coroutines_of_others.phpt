--TEST--
Async\get_coroutines() in a request lists the request's own coroutines, not those of other requests
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../classic/site.inc';

$code = [
    'honest' => 'Async\spawn(fn () => usleep(3000)); usleep(2000); echo "honest";',
    'hostile' => '$own = [Async\spawn(fn () => usleep(3000)), Async\spawn(fn () => usleep(3000)), Async\current_coroutine()]; usleep(500); $listed = Async\get_coroutines();'
        . ' foreach ($listed as $one) { if (!in_array($one, $own, true)) { $one->cancel(); } } echo count($listed), " coroutines";',
];
$answers = function (Closure $begin): void {
    $clients = [];
    for ($i = 0; $i < 40; $i++) {
        $clients[] = $begin($i % 4 ? 'honest' : 'hostile');
    }
    print_r(array_count_values(array_map(fn (Client $client): string => $client->response()?->line() ?? 'no response', $clients)));
};
echo 'callable: ';
$server = new Server("match (\$_GET['do']) { 'honest' => (function () { $code[honest] })(), default => (function () { $code[hostile] })() };");
$answers(fn (string $do): Client => $server->connect()->send("GET /?do=$do HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
echo strtok($server->stop(), "\n"), "\nclassic mode: ";
$site = new Site(['honest.php' => $code['honest'], 'hostile.php' => $code['hostile']]);
$answers(fn (string $do): Client => $site->begin("/$do.php"));
echo strtok($site->stop(), "\n"), "\n";
?>
--EXPECT--
callable: Array
(
    [200 3 coroutines] => 10
    [200 honest] => 30
)
exit status 0
classic mode: Array
(
    [200 3 coroutines] => 10
    [200 honest] => 30
)
exit status 0
