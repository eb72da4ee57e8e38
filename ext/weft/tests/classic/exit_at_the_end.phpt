--TEST--
Classic mode: exit() and exceptions where no caller is, in an exception handler or a destructor, end that and nothing else
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$thing = 'class Thing { public function __construct(private Closure $end) {} public function __destruct() { echo "-"; ($this->end)(); echo "never"; } }'
    . 'register_shutdown_function(fn () => print(" shutdown"));';
$handler = fn (string $code): string => "$thing set_exception_handler(function (\$e) { echo \$e->getMessage(); $code });"
    . '$kept = new Thing(fn () => exit("destructed")); function f() { $local = "x"; throw new Exception("mine"); } f();';
$site = new Site([
    'handler_exits.php' => $handler('exit(" exit");'),
    'handler_throws.php' => $handler('throw new Exception("another");'),
    'handler_returns.php' => $handler(''),
    'destructor_exits.php' => $thing . '$a = new Thing(fn () => print("a")); $b = new Thing(fn () => exit("exit")); echo "body";',
    'destructor_throws.php' => $thing . 'ob_start(); $a = new Thing(fn () => print("a")); $b = new Thing(fn () => throw new Exception("from a destructor")); echo "body";',
    'generator_exits.php' => 'function g() { try { yield 1; } finally { echo "finally"; exit(" exit"); } } $g = g(); echo $g->current();',
    'used.php' => 'gc_collect_cycles(); echo memory_get_usage();',
]);
$scripts = ['handler_exits', 'handler_throws', 'handler_returns', 'destructor_exits', 'destructor_throws', 'generator_exits'];
$used = fn (): int => (int) substr($site->get('/used.php'), 4);
foreach ($scripts as $script) {
    echo $site->get("/$script.php"), "\n";
}
$memory = $used();
for ($i = 0; $i < 20; $i++) {
    foreach ($scripts as $script) {
        $site->get("/$script.php");
    }
}
echo $used() - $memory < 1000 ? "nothing is left\n" : "memory is left\n";

echo preg_replace(['/ in .*/', '/\n +(#|thrown).*/'], '', implode("\n", array_unique(explode("\n", $site->stop())))), "\n";
--EXPECT--
200 mine exit shutdown-destructed
200 mine shutdown-destructed
200 mine shutdown-destructed
200 body shutdown-exit
500 body shutdown-
200 1finally exit
nothing is left
exit status 0
PHP Fatal error:  Uncaught Exception: another
    Stack trace:
PHP Fatal error:  Uncaught Exception: from a destructor
