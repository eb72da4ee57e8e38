--TEST--
Classic mode: a request ends in PHP's order, and all that it holds goes
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$class = 'class Thing { public $other; public function __construct(public string $name) {} public function __destruct() { echo "-", $this->name; } }';
$site = new Site([
    'order.php' => $class . '
        ob_start(fn ($text) => "<$text>");
        register_shutdown_function(function () { echo " shutdown"; register_shutdown_function(fn () => print(" again")); });
        $a = new Thing("a"); $b = new Thing("b"); $shared = [$b]; Late::$kept = new Thing("static");
        function keep() { static $kept; $kept ??= new Thing("variable"); } keep();
        $x = new Thing("x"); $y = new Thing("y"); $x->other = $y; $y->other = $x; unset($x, $y);
        class Late { public static $kept; }
        echo "body";',
    'exit.php' => 'register_shutdown_function(fn () => print(" shutdown")); include "inner.php"; echo "never";',
    'inner.php' => 'function f() { exit(" exit"); } echo "before"; f();',
    'throws.php' => $class . '$a = new Thing("a"); set_exception_handler(fn ($e) => print("caught " . $e->getMessage())); throw new Exception("mine");',
    'finally.php' => $class . 'function f() { $a = new Thing("local"); try { exit; } finally { echo "finally"; } } f();',
    'weak.php' => $class . '$map = new WeakMap; $key = new Thing("key"); $map[$key] = new Thing("value"); $GLOBALS["ref"] = WeakReference::create($key); echo count($map);',
    'generator.php' => 'function g() { try { yield 1; yield 2; } finally { echo "closed"; } } $g = g(); echo $g->current();',
    'fiber.php' => $class . '$f = new Fiber(function () { $in = new Thing("fiber"); Fiber::suspend(1); echo "never"; }); echo $f->start();',
    'stream.php' => 'class W {
            public $context;
            function stream_open($p) { return true; }
            function stream_write($d) { echo "w($d)"; return strlen($d); }
            function stream_close() { touch(sys_get_temp_dir() . "/weft-closed-" . basename($_SERVER["DOCUMENT_ROOT"])); }
        }
        stream_wrapper_register("ww", "W"); $f = fopen("ww://x", "w"); fwrite($f, "text"); $keep = [$f]; $keep[] = &$keep;',
    'tick.php' => 'declare(ticks=1); register_tick_function(fn () => null); $x = 1; echo "ticked";',
]);
foreach (['order', 'exit', 'throws', 'finally', 'weak', 'generator', 'fiber', 'stream', 'tick'] as $script) {
    $first = $site->get("/$script.php");
    echo "$script: $first", $first === $site->get("/$script.php") ? '' : ', and then something else', "\n";
}
$closed = sys_get_temp_dir() . '/weft-closed-' . basename($site->root);
echo is_file($closed) && unlink($closed) ? "the stream was closed\n" : "the stream was not closed\n", $site->stop();
--EXPECT--
order: 200 <body shutdown again-a-b-static-variable-x-y>
exit: 200 before exit shutdown
throws: 200 caught mine-a
finally: 200 -local
weak: 200 1-key-value
generator: 200 1closed
fiber: 200 1-fiber
stream: 200 w(text)
tick: 200 ticked
the stream was closed
exit status 0
