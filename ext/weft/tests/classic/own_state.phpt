--TEST--
Classic mode: eight requests at a time, each with functions, classes, constants, variables and objects of its own
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$code = <<<'PHP'
$who = $_GET['who'];
$begun = [function_exists('mine'), class_exists('Mine', false), defined('WHO'), isset($GLOBALS['counter']), count(get_included_files()), spl_autoload_functions()];
include __DIR__ . "/part-" . ($who % 2) . ".php";
define('WHO', $who);
spl_autoload_register(function (string $class) { eval("class $class extends Mine { const OF = " . WHO . "; }"); });
set_error_handler(function (int $level, string $text) { echo "[", WHO, " $text]"; return true; });
ob_start(fn (string $text): string => strtoupper($text));
$GLOBALS['counter'] = 1;
function count_up(): int { global $counter; static $calls = 0; $calls++; return $counter += WHO; }
$reference = &$GLOBALS['counter'];
$object = new Mine;
ini_set('precision', (string) (5 + $who));
PHP . "\n" . Site::meet('a', 8) . <<<'PHP'
count_up();
echo Auto::OF, ' ', mine(), ' ', (new Auto)->who(), ' ', Mine::$count, ' ', $missing ?? 'none', ' ';
trigger_error('noted');
PHP . "\n" . Site::meet('b', 8) . <<<'PHP'
count_up();
echo json_encode($begun), ' ', $reference, ' ', spl_object_id($object), ' ', WHO, ' ', count(get_included_files()), ' ', 1 / 3, ' ',
    Suit::from($who % 2)->name, ' ', (fn () => Mine::$count)(), ' ', count(array_filter(get_declared_classes(), fn ($c) => str_starts_with($c, 'Weft\Bridge')));
PHP;
$part = fn (int $number): string => "
    if (\$_GET['who'] > 3) { function mine() { return 'late' . $number . \$GLOBALS['who']; } } else { function mine() { return 'early' . $number . \$GLOBALS['who']; } }
    class Mine { public static \$count = 0; public function __construct() { self::\$count += 1 + $number; } public function who() { return static::class . WHO; } }
    enum Suit: int { case " . ['Hearts = 0; case Other = 1', 'Spades = 1; case Other = 0'][$number] . "; }";
$files = ['index.php' => $code, 'part-0.php' => $part(0), 'part-1.php' => $part(1)];
foreach ([['opcache.enable_cli=0'], ['opcache.enable_cli=1'], ['opcache.enable_cli=1', 'opcache.jit_buffer_size=16M', 'opcache.jit=tracing']] as $ini) {
    $site = new Site($files, $ini);
    $answers = [];
    for ($round = 0; $round < 3; $round++) {
        array_map(unlink(...), glob("$site->root/at-*"));
        $answers[] = $site->together(array_map(fn (int $who): string => "/?who=$who", range(0, 7)));
    }
    echo implode("\n", $answers[0]), "\n", $answers[1] === $answers[0] && $answers[2] === $answers[0] ? "the same again\n" : "another time differs\n", $site->stop();
}
--EXPECT--
200 0 EARLY00 AUTO0 2 NONE [0 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 1 4 0 2 0.33333 HEARTS 2 0
200 1 EARLY11 AUTO1 4 NONE [1 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 3 4 1 2 0.333333 SPADES 4 0
200 2 EARLY02 AUTO2 2 NONE [2 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 5 4 2 2 0.3333333 HEARTS 2 0
200 3 EARLY13 AUTO3 4 NONE [3 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 7 4 3 2 0.33333333 SPADES 4 0
200 4 LATE04 AUTO4 2 NONE [4 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 9 4 4 2 0.333333333 HEARTS 2 0
200 5 LATE15 AUTO5 4 NONE [5 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 11 4 5 2 0.3333333333 SPADES 4 0
200 6 LATE06 AUTO6 2 NONE [6 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 13 4 6 2 0.33333333333 HEARTS 2 0
200 7 LATE17 AUTO7 4 NONE [7 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 15 4 7 2 0.333333333333 SPADES 4 0
the same again
exit status 0
200 0 EARLY00 AUTO0 2 NONE [0 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 1 4 0 2 0.33333 HEARTS 2 0
200 1 EARLY11 AUTO1 4 NONE [1 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 3 4 1 2 0.333333 SPADES 4 0
200 2 EARLY02 AUTO2 2 NONE [2 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 5 4 2 2 0.3333333 HEARTS 2 0
200 3 EARLY13 AUTO3 4 NONE [3 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 7 4 3 2 0.33333333 SPADES 4 0
200 4 LATE04 AUTO4 2 NONE [4 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 9 4 4 2 0.333333333 HEARTS 2 0
200 5 LATE15 AUTO5 4 NONE [5 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 11 4 5 2 0.3333333333 SPADES 4 0
200 6 LATE06 AUTO6 2 NONE [6 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 13 4 6 2 0.33333333333 HEARTS 2 0
200 7 LATE17 AUTO7 4 NONE [7 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 15 4 7 2 0.333333333333 SPADES 4 0
the same again
exit status 0
200 0 EARLY00 AUTO0 2 NONE [0 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 1 4 0 2 0.33333 HEARTS 2 0
200 1 EARLY11 AUTO1 4 NONE [1 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 3 4 1 2 0.333333 SPADES 4 0
200 2 EARLY02 AUTO2 2 NONE [2 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 5 4 2 2 0.3333333 HEARTS 2 0
200 3 EARLY13 AUTO3 4 NONE [3 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 7 4 3 2 0.33333333 SPADES 4 0
200 4 LATE04 AUTO4 2 NONE [4 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 9 4 4 2 0.333333333 HEARTS 2 0
200 5 LATE15 AUTO5 4 NONE [5 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 11 4 5 2 0.3333333333 SPADES 4 0
200 6 LATE06 AUTO6 2 NONE [6 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 13 4 6 2 0.33333333333 HEARTS 2 0
200 7 LATE17 AUTO7 4 NONE [7 NOTED][FALSE,FALSE,FALSE,FALSE,1,[]] 15 4 7 2 0.333333333333 SPADES 4 0
the same again
exit status 0
