--TEST--
Time goes on for OPcache: a changed file is seen again, and a new one is kept when it is old enough
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
opcache.revalidate_freq=2
opcache.file_update_protection=2
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
use function Weft\Isolation\run;

$dir = sys_get_temp_dir() . '/weft-opcache-time-' . getmypid();
mkdir($dir);
$old = "$dir/old.php";
file_put_contents($old, '<?php return "as it was";');
touch($old, time() - 100);
$load = static fn (string $file): mixed => run(static fn (): mixed => require $file);
Weft\Isolation\snapshot();
echo $load($old), ' ', json_encode(opcache_is_script_cached($old)), "\n";
file_put_contents($old, '<?php return "changed";');
touch($old, time() - 50);
$new = "$dir/new.php";
file_put_contents($new, '<?php return "new";');
echo $load($new), ' ', json_encode(opcache_is_script_cached($new)), "\n";
// two seconds later, as long as that may take on a busy machine
for ($i = 0; $i < 100 && ($load($old) !== 'changed' || !opcache_is_script_cached($new)); $i++) {
    usleep(100_000);
    $load($new);
}
echo $load($old), ' ', $load($new), ' ', json_encode(opcache_is_script_cached($new)), "\n";
array_map(unlink(...), [$old, $new]);
rmdir($dir);
?>
--EXPECT--
as it was true
new false
changed new true
