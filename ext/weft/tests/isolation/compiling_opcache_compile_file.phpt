--TEST--
What opcache_compile_file() declares in a domain is the domain's
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
opcache.file_update_protection=0
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

$files = [];
foreach (['first', 'second'] as $name) {
    $files[] = $file = sys_get_temp_dir() . "/weft-$name-" . getmypid() . '.php';
    file_put_contents($file, "<?php function $name() { return '$name'; } class {$name}_class {} return $name();");
    touch($file, time() - 100);
}
Weft\Isolation\snapshot();
in_domains(function () use ($files): array {
    $seen = function_exists('first');
    $compiled = opcache_compile_file($files[0]);
    turn();
    // whether that declares differs from one version of PHP to the next
    return [$seen, $compiled, function_exists('first') ? 'first' : require $files[0], first()];
});
in_domains(fn (): array => [function_exists('first'), class_exists('first_class', false), require $files[0]]);
// a request that only warms the cache up
Weft\Isolation\run(fn (): bool => opcache_compile_file($files[1]));
in_domains(fn (): array => [function_exists('second'), opcache_is_script_cached($files[1]), require $files[1]]);
array_map(unlink(...), $files);
?>
--EXPECT--
a: [false,true,"first","first"]
b: [false,true,"first","first"]
a: [false,false,"first"]
b: [false,false,"first"]
a: [false,true,"second"]
b: [false,true,"second"]
