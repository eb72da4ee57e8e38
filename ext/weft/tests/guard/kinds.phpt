--TEST--
Each module is proven, guarded or never left; the owner may call one proven, and the test of each in the list exists
--EXTENSIONS--
weft
ctype
sqlite3
fileinfo
phar
--INI--
weft.proven_modules=" SQLite3, fileinfo ,none"
--FILE--
<?php
use function Async\await;
use function Async\spawn;

$kinds = Weft\Internal\modules();
ksort($kinds);
var_dump(array_diff(array_keys($kinds), get_loaded_extensions()));
var_dump(array_unique(array_diff($kinds, ['proven', 'guarded', 'never left'])));
foreach (['Core', 'standard', 'ctype', 'weft', 'sqlite3', 'fileinfo', 'Phar'] as $name) {
    echo $name, ': ', $kinds[$name], "\n";
}

$db = new SQLite3(':memory:');
$turns = 0;
$during = 0;
$db->createFunction('wait', function () use (&$turns, &$during): int {
    $before = $turns;
    usleep(5000);
    $during = $turns - $before;
    return 1;
});
$asks = spawn(fn () => $db->querySingle('SELECT wait()'));
spawn(function () use (&$turns): void {
    while ($turns < 5) {
        $turns++;
        usleep(100);
    }
});
await($asks);
echo 'by the owner\'s word: ', $during > 0 ? 'left' : 'not left', "\n";

$list = file_get_contents(dirname(__DIR__, 4) . '/ext/weft/src/interpose/guard/weft_proven.h');
preg_match_all('~_\("([^"]+)", .*"([^"]+)"\)~', $list, $entries, PREG_SET_ORDER);
var_dump(count($entries) > 30);
foreach ($entries as [, $name, $test]) {
    if (!is_file(dirname(__DIR__, 4) . "/ext/weft/tests/$test")) {
        echo "$name: $test does not exist\n";
    }
}
$sorted = array_column($entries, 1);
sort($sorted);
var_dump($sorted === array_column($entries, 1));

$list = file_get_contents(dirname(__DIR__, 4) . '/ext/weft/src/interpose/guard/weft_guarded.h');
preg_match_all('~_\("([^"]+)", .*"([^"]+)"\)~', $list, $entries, PREG_SET_ORDER);
var_dump(count($entries) >= 3);
foreach ($entries as [, $name, $test]) {
    if (!is_file(dirname(__DIR__, 4) . '/tests/extensions/src/Modules/' . ucfirst($test) . '.php')) {
        echo "$name: the visits of $test do not exist\n";
    }
}
?>
--EXPECT--
array(0) {
}
array(0) {
}
Core: proven
standard: proven
ctype: proven
weft: proven
sqlite3: proven
fileinfo: proven
Phar: never left
by the owner's word: left
bool(true)
bool(true)
bool(true)
