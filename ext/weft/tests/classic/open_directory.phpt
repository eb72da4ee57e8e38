--TEST--
Classic mode: a directory that was left open, and streams of PHP code that open others when they are closed
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site([
    'left.php' => '$d = opendir(__DIR__); echo readdir() === false ? "empty" : "read"; $kept = [$d]; $kept[] = &$kept;',
    'next.php' => 'try { echo readdir(); } catch (TypeError $e) { echo $e->getMessage(); } $d = opendir("."); echo ", ", readdir($d) === false ? "empty" : "read"; closedir($d);',
    'index.php' => 'mkdir($own = __DIR__ . "/of-$_GET[who]"); touch("$own/a$_GET[who]"); touch("$own/b$_GET[who]"); opendir($own);
        $read = function () { while (in_array($name = readdir(), [".", ".."], true)); return $name; };
        $names = [$read()];' . Site::meet('a', 3) . '$names[] = $read();' . Site::meet('b', 3) . '
        sort($names); echo implode(" ", $names), $read() === false ? " end" : " more"; closedir();',
    'opens.php' => 'class W {
            public $context; public static $open = [];
            function stream_open($p) { return true; }
            function stream_close() { for ($i = 0; $i < 20; $i++) { self::$open[] = fopen(__FILE__, "r"); } }
        }
        stream_wrapper_register("ww", "W"); for ($i = 0; $i < 5; $i++) { $kept[] = fopen("ww://x", "r"); } $kept[] = &$kept; echo "open";',
], ['error_reporting=' . (E_ALL & ~E_DEPRECATED)]); // PHP 8.5 wants readdir() to be told
foreach (['left', 'next', 'left', 'left', 'next', 'opens', 'opens', 'next'] as $script) {
    echo $site->get("/$script.php"), "\n";
}
echo implode("\n", $site->together(['/?who=1', '/?who=2', '/?who=3'])), "\n", $site->stop();
--EXPECT--
200 read
200 No resource supplied, read
200 read
200 read
200 No resource supplied, read
200 open
200 open
200 No resource supplied, read
200 a1 b1 end
200 a2 b2 end
200 a3 b3 end
exit status 0
