--TEST--
Classic mode: exit() or an exception in an output callback at the end, or in a shutdown function, does what it does under PHP-FPM
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$handler = 'set_exception_handler(fn () => print("never"));';
$ends = fn (string $code): string => $handler . "ob_start(function (\$text, \$mode) { if (\$mode & PHP_OUTPUT_HANDLER_FINAL) { $code } return \"<\$text>\"; });";
$site = new Site([
    'index.php' => 'ob_start(fn ($text) => "<$text>"); echo $_GET["who"];' . Site::meet('a', 4) . 'echo " of ", $_GET["who"];',
    'exits.php' => $ends('exit("never");') . Site::meet('a', 4) . 'echo "body";',
    'throws.php' => $ends('throw new Exception("in a callback");') . Site::meet('a', 4) . 'echo "body";',
    'outer.php' => 'ob_start(fn ($text) => "never"); echo "never";' . $ends('exit;') . 'echo "body";',
    'inner.php' => $ends('exit;') . 'ob_start(fn ($text) => "($text)"); echo "body";',
    'sent.php' => 'echo "sent "; flush();' . $ends('exit;') . 'echo "body";',
    'part.php' => $ends('throw new Exception("in a callback");') . 'echo "body"; ob_flush(); echo " and more";',
    'shutdown.php' => $handler . 'ob_start(fn ($text) => "<$text>"); register_shutdown_function(fn () => throw new Exception("in a shutdown function"));
        register_shutdown_function(fn () => print("never")); echo "body";',
    'values.php' => 'class Thing { public static $seen = 0; public function __destruct() { echo "-destructed"; } }
        function calls() { static $calls = 0; return ++$calls; } calls(); Thing::$seen = 7; $kept = new Thing; $variable = "v";
        ob_start(fn ($text) => "<$text " . json_encode([Thing::$seen, calls(), $GLOBALS["variable"], get_debug_type($GLOBALS["kept"] ?? null)]) . ">"); echo "body";',
    'used.php' => 'gc_collect_cycles(); echo memory_get_usage();',
]);
echo implode("\n", $site->together(['/?who=1', '/exits.php?who=2', '/throws.php?who=3', '/?who=4'])), "\n";
$scripts = ['outer', 'inner', 'sent', 'part', 'shutdown', 'values'];
foreach ($scripts as $script) {
    echo "$script: ", $site->get("/$script.php"), "\n";
}
$used = fn (): int => (int) substr($site->get('/used.php'), 4);
$memory = $used();
for ($i = 0; $i < 20; $i++) {
    foreach ($scripts as $script) {
        $site->get("/$script.php");
    }
}
echo $used() - $memory < 50000 ? "nothing is left\n" : "memory is left\n";
echo implode("\n", array_unique(preg_grep('/^(exit|PHP Fatal)/', explode("\n", preg_replace('~ in (ROOT|/|Command).*~', '', $site->stop()))))), "\n";
?>
--EXPECT--
200 <1 of 1>
200 
500 
200 <4 of 4>
outer: 200 
inner: 200 
sent: 200 sent 
part: 200 <body>
shutdown: 500 <body>
values: 200 <body-destructed [7,2,"v","null"]>
nothing is left
exit status 0
PHP Fatal error:  Uncaught Exception: in a callback
PHP Fatal error:  Uncaught Exception: in a shutdown function
