--TEST--
opcache_reset() in a domain forgets changed files, and OPcache goes on keeping new ones
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
opcache.revalidate_freq=1000
opcache.file_update_protection=0
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
use function Weft\Isolation\run;

$dir = sys_get_temp_dir() . '/weft-opcache-reset-' . getmypid();
mkdir($dir);
$write = static function (string $name, string $code, int $age) use ($dir): string {
    file_put_contents("$dir/$name.php", "<?php $code");
    touch("$dir/$name.php", time() - $age);
    return "$dir/$name.php";
};
$changes = $write('changes', 'return "as it was";', 100);
$stays = $write('stays', 'function stays() { return "stays"; }', 100);
Weft\Isolation\snapshot();
$load = static fn (string $file): mixed => run(static fn (): mixed => require $file);
$uses = static fn (): string => run(static function () use ($stays): string {
    require $stays;
    return stays();
});
echo $load($changes), ' ', $uses(), "\n";
$write('changes', 'return "changed";', 50);
echo $load($changes), "\n";
echo json_encode(run(opcache_reset(...))), ' ', $load($changes), ' ', $uses(), "\n";
$new = $write('new', 'if (!function_exists("newly")) { function newly() { return "new"; } }', 50);
foreach ([1, 2] as $ignored) {
    echo run(static function () use ($new): string {
        require $new;
        return newly();
    }), ' ';
}
echo json_encode([opcache_is_script_cached($new), opcache_get_status(false)['restart_pending']]), "\n";
run(static fn (): bool => opcache_invalidate($new, true));
$write('new', 'function newly() { return "newer"; }', 40);
echo run(static function () use ($new): string {
    require $new;
    return newly();
}), "\n";
array_map(unlink(...), glob("$dir/*"));
rmdir($dir);
?>
--EXPECT--
as it was stays
as it was
true changed stays
new new [true,false]
newer
