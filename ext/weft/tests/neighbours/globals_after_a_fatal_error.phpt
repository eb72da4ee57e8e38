--TEST--
Classic mode: globals of a script that a fatal error has ended are there for coroutines that outlive it, and are destructed at their end
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../classic/site.inc';

$site = new Site([
    'fatal.php' => 'class Kept { function __destruct() { file_put_contents(__DIR__ . "/said", "destructed\n", FILE_APPEND); } }
        $text = str_repeat("text", 3); $kept = new Kept(); $list = [$text, $kept];
        Async\spawn(function () { usleep(30000);
            file_put_contents(__DIR__ . "/said", json_encode([$GLOBALS["text"] ?? null, count($GLOBALS["list"] ?? [])]) . "\n", FILE_APPEND); });
        usleep(1000); @trigger_error("over", E_USER_ERROR);', // silent, since 8.4 calls it deprecated
    'said.php' => 'readfile(__DIR__ . "/said");',
    'honest.php' => '$a = str_repeat("honest", 100); $b = [$a, $a . "b"]; usleep(5000); echo count($b), strlen($a);',
]);
$fatal = $site->begin('/fatal.php');
for ($i = 0; $i < 12; $i++) {
    $said[] = $site->begin('/honest.php')->response()->line();
}
echo $fatal->response()->status, ', ', implode(', ', array_unique($said)), "\n", $site->get('/said.php');
echo preg_replace('/^.*Fatal error.*$/m', 'fatal', preg_replace('/^(?:Stack trace:|#\d).*\n/m', '', $site->stop())), "\n";
?>
--EXPECT--
500, 200 2600
200 ["texttexttext",2]
exit status 0
fatal
