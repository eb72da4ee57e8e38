--TEST--
What the boot has made is refused in classes that OPcache shares, and in code that it has compiled (function)
--EXTENSIONS--
weft
dom
simplexml
--INI--
opcache.enable_cli=1
opcache.protect_memory=1
opcache.jit=function
opcache.jit_buffer_size=32M
opcache.jit_hot_func=4
opcache.jit_hot_loop=4
--SKIPIF--
<?php if (!extension_loaded('Zend OPcache')) die('skip needs OPcache'); ?>
--FILE--
<?php
require __DIR__ . '/refused_in_opcache.inc';

for ($i = 0; $i < 20; $i++) {
    $before = App\all(...App\make());
}
echo json_encode($before), "\n";
$made = App\make();
Weft\Isolation\snapshot();
for ($i = 0; $i < 20; $i++) {
    $refused = Weft\Isolation\run(fn () => App\all(...$made));
    $own = Weft\Isolation\run(fn () => App\all(...App\make()));
}
echo json_encode($refused, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES), "\n";
var_dump($own === $before, Weft\Isolation\run(fn () => $made[1]::class));
?>
--EXPECT--
{"send":2,"fgets":"<?php\n","parent::fgets":"namespace App;\n","getName":"a","foreach over XML":"1","foreach over a directory":1,"foreach over a window":7,"a function":"a","iterator_to_array":1,"json_encode":"{\"b\":\"1\"}","as an array":1}
{
    "send": "Weft\\Isolation\\HandleOfBootError",
    "fgets": "Weft\\Isolation\\HandleOfBootError",
    "parent::fgets": "Weft\\Isolation\\HandleOfBootError",
    "getName": "Weft\\Isolation\\HandleOfBootError",
    "foreach over XML": "Weft\\Isolation\\HandleOfBootError",
    "foreach over a directory": "Weft\\Isolation\\HandleOfBootError",
    "foreach over a window": "Weft\\Isolation\\HandleOfBootError",
    "a function": "Weft\\Isolation\\HandleOfBootError",
    "iterator_to_array": "Weft\\Isolation\\HandleOfBootError",
    "json_encode": "Weft\\Isolation\\HandleOfBootError",
    "as an array": "Weft\\Isolation\\HandleOfBootError"
}
bool(true)
string(13) "App\MoreLines"
