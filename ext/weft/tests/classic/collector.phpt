--TEST--
Classic mode: the collector of one request leaves the garbage of others alone, and none of it stays
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$garbage = '
    class Node {
        public $self; public $room;
        public function __construct(public $who) { $this->self = $this; $this->room = str_repeat("x", 1000); }
        public function __destruct() { if ($this->who) { echo "[", $this->who, $this->who === $_GET["who"] ? "" : " in " . $_GET["who"], "]"; } }
    }
    function garbage($who, $count) { for ($i = 0; $i < $count; $i++) { new Node($who); $list = [str_repeat("y", 1000)]; $list[] = &$list; unset($list); } }';
$site = new Site([
    'index.php' => $garbage . 'garbage($_GET["who"], 2);' . Site::meet('a', 4)
        . 'if ($_GET["who"] === "1") { echo gc_collect_cycles() > 0 ? "collected" : "none"; }' . Site::meet('b', 4)
        . 'echo " ", $_GET["who"], " ", gc_status()["roots"] > 0 ? "roots" : "no roots";',
    'many.php' => $garbage . 'garbage(null, 20000); echo memory_get_usage() < 32 << 20 ? "collected meanwhile" : "not collected";',
    'leave.php' => $garbage . 'garbage(null, 1000); Held::$held = new Node(null); class Held { public static $held; } $a = [new Node(null)]; $b = [&$a]; $a[] = &$b;',
    'usage.php' => 'echo memory_get_usage();',
]);
echo implode("\n", $site->together(['/?who=1', '/?who=2', '/?who=3', '/?who=4'])), "\n", $site->get('/many.php'), "\n";
$usage = [];
for ($round = 0; $round < 3; $round++) {
    for ($i = 0; $i < 20; $i++) {
        $site->get('/leave.php');
    }
    $usage[] = (int) substr($site->get('/usage.php'), 4);
}
echo $usage[2] - $usage[1] < 100000 ? 'all freed' : 'it grows: ' . implode(', ', $usage), "\n", $site->stop();
--EXPECT--
200 [1][1]collected 1 no roots
200  2 roots[2][2]
200  3 roots[3][3]
200  4 roots[4][4]
200 collected meanwhile
all freed
exit status 0
