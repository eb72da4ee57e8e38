--TEST--
exit() and fatal errors in a coroutine end its request, if it still runs, and no other
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../classic/site.inc';

const TASKS = [
    'exit' => 'exit(" task");',
    'fatal error' => 'trigger_error("fatal", E_USER_ERROR);',
    'memory' => '$text = str_repeat("x", 100 << 20);',
    'compile error' => 'eval("function twice() {} function twice() {}");',
    'exit in a callback of iterate()' => 'Async\iterate([1, 2], function () { exit(" task"); });',
];
const WAITS = [
    'sleeps' => 'usleep(20_000_000);',
    'awaits it' => 'Async\await($task);',
    'awaits others' => '$others = [$task, Async\spawn(fn () => usleep(5000))]; Async\await_all($others);',
    'is over' => '',
];

function page(string $task, string $wait, bool $over): string
{
    $sleep = $over ? 20000 : 1000;
    return 'register_shutdown_function(function () { echo " shutdown"; }); echo "begun";'
        . "try { \$task = Async\\spawn(function () { usleep($sleep); $task }); $wait } catch (Throwable \$e) { echo ' caught'; } finally { echo ' left'; }";
}

$pages = ['beside' => 'usleep(30_000); echo "unharmed ", http_response_code();'];
foreach (TASKS as $task) {
    foreach (WAITS as $name => $wait) {
        $pages['p' . count($pages)] = page($task, $wait, $name === 'is over');
    }
}
$names = [];
foreach (array_keys(TASKS) as $task) {
    foreach (array_keys(WAITS) as $wait) {
        $names['p' . (count($names) + 1)] = "$task, request $wait";
    }
}
function ask(Closure $ask, array $names): array
{
    $lines = [];
    foreach ($names as $page => $name) {
        $beside = [$ask('beside'), $ask('beside')];
        $lines[$name] = $ask($page)->response()->line();
        foreach ($beside as $client) {
            $line = $client->response()?->line();
            $line === '200 unharmed 200' || print("beside \"$name\": $line\n");
        }
    }
    return $lines;
}

$ini = ['memory_limit=32M', 'error_reporting=E_ALL'];
$files = [];
$code = 'switch ($_GET["do"]) {';
foreach ($pages as $page => $body) {
    $files["$page.php"] = $body;
    $code .= "case '$page': $body return;\n";
}
$site = new Site($files, $ini, config: ['memory_share' => 0]);
$classic = ask(fn (string $page): Client => $site->begin("/$page.php"), $names);
echo strtok($site->stop(), "\n"), "\n";
$server = new Server("$code }", ['memory_share' => 0], [...$ini, 'output_buffering=0']);
$callable = ask(
    fn (string $page): Client => $server->connect()->send("GET /?do=$page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    $names,
);
echo strtok($server->stop(), "\n"), "\n";
print_r($classic);
echo $classic === $callable ? "the same as a callable\n" : print_r($callable, true);
?>
--EXPECT--
exit status 0
exit status 0
Array
(
    [exit, request sleeps] => 200 begun task shutdown
    [exit, request awaits it] => 200 begun task shutdown
    [exit, request awaits others] => 200 begun task shutdown
    [exit, request is over] => 200 begun left shutdown
    [fatal error, request sleeps] => 500 begun shutdown
    [fatal error, request awaits it] => 500 begun shutdown
    [fatal error, request awaits others] => 500 begun shutdown
    [fatal error, request is over] => 200 begun left shutdown
    [memory, request sleeps] => 500 begun shutdown
    [memory, request awaits it] => 500 begun shutdown
    [memory, request awaits others] => 500 begun shutdown
    [memory, request is over] => 200 begun left shutdown
    [compile error, request sleeps] => 500 begun shutdown
    [compile error, request awaits it] => 500 begun shutdown
    [compile error, request awaits others] => 500 begun shutdown
    [compile error, request is over] => 200 begun left shutdown
    [exit in a callback of iterate(), request sleeps] => 200 begun task task shutdown
    [exit in a callback of iterate(), request awaits it] => 200 begun task task shutdown
    [exit in a callback of iterate(), request awaits others] => 200 begun task task shutdown
    [exit in a callback of iterate(), request is over] => 200 begun left shutdown
)
the same as a callable
