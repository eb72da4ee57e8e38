--TEST--
Classic mode: a script that can't be compiled, or ends in a fatal error, hurts nobody else
--EXTENSIONS--
weft
--SKIPIF--
<?php if (getenv('USE_ZEND_ALLOC') === '0') die('skip it needs a memory limit'); ?>
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site([
    'index.php' => 'class Mine { public static $n = 1; } $kept = [new Mine];' . Site::meet('a', 5) . Site::meet('b', 2) . 'echo "fine ", Mine::$n, count($kept);',
    'parse.php' => 'echo "oops',
    'inner.php' => 'echo "before "; include "parse.php"; echo "never";',
    'undefined.php' => 'class Mine { public function __destruct() { echo "never"; } } $a = new Mine;' . Site::meet('a', 5) . 'undefined();',
    'twice.php' => 'function f() {} ' . Site::meet('a', 5) . 'eval("function f() {}"); echo "never";',
    'memory.php' => 'ini_set("memory_limit", memory_get_usage(true) + (8 << 20)); $a = new ArrayObject; ' . Site::meet('a', 5) . ' while (true) { $a[] = str_repeat("x", 10000); }',
    'handled.php' => 'register_shutdown_function(function () { echo "shutdown: ", error_get_last()["message"]; }); undefined();',
]);
$answers = $site->together(['/?who=1', '/undefined.php?who=2', '/twice.php?who=3', '/memory.php?who=4', '/?who=5']);
foreach ($answers as $answer) {
    echo preg_replace('/\d{5,}/', 'N', $answer), "\n";
}
foreach (['parse', 'inner', 'handled'] as $script) {
    echo preg_replace('/ in .*/s', '', $site->get("/$script.php")), "\n";
}
array_map(unlink(...), glob("$site->root/at-*"));
foreach (['a-1', 'a-2', 'a-3', 'a-4', 'a-5', 'b-1', 'b-2'] as $gate) {
    $site->write("at-$gate", '');
}
echo $site->get('/?who=1'), "\n";
[$status, $log] = explode("\n", $site->stop(), 2);
$log = preg_grep('/^PHP/', explode("\n", preg_replace(['/\d{5,}/', '/line \d+/', '/redeclare function/'], ['N', 'line N', 'redeclare'], $log)));
sort($log); // whose request fails first is the scheduler's business
echo $status, "\n", implode("\n", $log), "\n";
--EXPECT--
200 fine 11
500 never
500 
500 
200 fine 11
500 
200 before 
500 shutdown: Uncaught Error: Call to undefined function undefined()
200 fine 11
exit status 0
PHP Fatal error:  Allowed memory size of N bytes exhausted (tried to allocate N bytes) in ROOT/memory.php on line N
PHP Fatal error:  Cannot redeclare f() (previously declared in ROOT/twice.php:2) in ROOT/twice.php(4) : eval()'d code on line N
PHP Fatal error:  Uncaught Error: Call to undefined function undefined() in ROOT/handled.php:2
PHP Fatal error:  Uncaught Error: Call to undefined function undefined() in ROOT/undefined.php:4
PHP Parse error:  syntax error, unexpected end of file, expecting variable or "${" or "{$" in ROOT/parse.php on line N
PHP Parse error:  syntax error, unexpected end of file, expecting variable or "${" or "{$" in ROOT/parse.php on line N
