--TEST--
exit(), exceptions and fatal errors in callbacks of requests that end, and of coroutines, harm no other request of the application
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../http/server.inc';
require __DIR__ . '/ends.inc';

$cases = Beside::cases();
$code = '';
foreach (array_keys($cases) as $number => $place) {
    foreach ($cases[$place] as $i => $case) {
        $code .= "case '$number-$i': $case return;\n";
    }
}
$application = tempnam(sys_get_temp_dir(), 'weft-ends-');
file_put_contents($application, '<?php ' . Beside::HONEST_CLASS . ' return function () { global $kept; switch ($_GET["do"] ?? "") {'
    . "$code default: " . Beside::HONEST . ' } };');
$server = new Server('global $application; $application();', ini: ['error_reporting=E_ALL'],
    before: '$application = require "' . $application . '";');
$ask = fn (string $path): Client => $server->connect()->send("GET $path HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
$numbers = array_flip(array_keys($cases));
Beside::ask(
    array_map(count(...), $cases),
    fn (string $place, int $i): Client => $ask("/?do=$numbers[$place]-$i"),
    fn (): Client => $ask('/'),
);
echo strtok($server->stop(), "\n"), "\n";
unlink($application);
?>
--EXPECT--
Array
(
    [200 HONEST 200 DESTRUCTED SHUTDOWN] => 858
)
exit status 0
