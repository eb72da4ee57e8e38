--TEST--
Classic mode: preloaded functions and classes are there in each request, with values of its own, and those are freed
--EXTENSIONS--
weft
posix
--SKIPIF--
<?php if (!extension_loaded('Zend OPcache')) die('skip needs OPcache'); ?>
--FILE--
<?php
require __DIR__ . '/site.inc';

$preloaded = tempnam(sys_get_temp_dir(), 'weft-preload-');
file_put_contents($preloaded, '<?php
    function preloaded() { static $values = []; $values[] = $_GET["who"]; return count($values); }
    class Preloaded {
        public static $kept = []; const FROM = PHP_INT_SIZE * 2;
        public function keep($value) { static $last; $last = $value; self::$kept[] = $value; return count(self::$kept); }
        public function __destruct() { echo "-"; }
    }
    class Child extends Preloaded { }
    enum Suit: string { case Hearts = "h"; case Spades = "s"; const Wild = self::Spades; }');
$site = new Site([
    'index.php' => 'echo preloaded(), preloaded(), " ", (new Child)->keep($_GET["who"]), " ";' . Site::meet('a', 4) . '
        echo preloaded(), " ", (new Child)->keep("x"), " ", implode(Preloaded::$kept), " ", Preloaded::FROM, Suit::from("h")->name, Suit::Wild->name;
        Preloaded::$kept[] = new Preloaded;',
    'leave.php' => '(new Preloaded)->keep(str_repeat("x", 100000)); Child::$kept[] = new Child; $_GET["who"] = str_repeat("y", 100000); preloaded(); Suit::tryFrom("s");',
    'redeclare.php' => 'function preloaded() {}',
    'usage.php' => 'echo memory_get_usage();',
], ['opcache.enable_cli=1', "opcache.preload=$preloaded", ...posix_geteuid() === 0 ? ['opcache.preload_user=root'] : []]);
echo implode("\n", $site->together(['/?who=1', '/?who=2', '/?who=3', '/?who=4'])), "\n";
$usage = [];
for ($round = 0; $round < 3; $round++) {
    for ($i = 0; $i < 20; $i++) {
        $left = $site->get('/leave.php');
    }
    $usage[] = (int) substr($site->get('/usage.php'), 4);
}
echo $left, ' ', $usage[2] - $usage[1] < 100000 ? 'all freed' : 'it grows: ' . implode(', ', $usage), "\n";
echo $site->get('/redeclare.php'), "\n", preg_replace(['/redeclare function/', '/ \(previously.*/'], ['redeclare', ''], $site->stop());
unlink($preloaded);
--EXPECT--
200 12 -1 3 -2 1x 16HeartsSpades-
200 12 -1 3 -2 2x 16HeartsSpades-
200 12 -1 3 -2 3x 16HeartsSpades-
200 12 -1 3 -2 4x 16HeartsSpades-
200 -- all freed
500 
exit status 0
PHP Fatal error:  Cannot redeclare preloaded()
