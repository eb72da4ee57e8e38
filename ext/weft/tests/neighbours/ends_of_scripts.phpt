--TEST--
Classic mode: exit(), exceptions and fatal errors in callbacks of requests that end, and of coroutines, harm no other request
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../classic/site.inc';
require __DIR__ . '/ends.inc';

$files = ['honest.php' => Beside::HONEST_CLASS . Beside::HONEST];
$cases = Beside::cases();
foreach (array_keys($cases) as $number => $place) {
    foreach ($cases[$place] as $i => $code) {
        $files["$number-$i.php"] = $code;
    }
}
$site = new Site($files, ['error_reporting=E_ALL']);
$numbers = array_flip(array_keys($cases));
Beside::ask(
    array_map(count(...), $cases),
    fn (string $place, int $i): Client => $site->begin("/$numbers[$place]-$i.php"),
    fn (): Client => $site->begin('/honest.php'),
);
echo strtok($site->stop(), "\n"), "\n";
?>
--EXPECT--
Array
(
    [200 HONEST 200 SHUTDOWN DESTRUCTED] => 858
)
exit status 0
