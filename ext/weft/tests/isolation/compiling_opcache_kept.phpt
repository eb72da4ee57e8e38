--TEST--
An error handler of a domain hears of a file that OPcache keeps what it hears in plain PHP
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
opcache.file_update_protection=0
opcache.record_warnings=1
log_errors=0
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
use function Weft\Isolation\run;

$dir = sys_get_temp_dir() . '/weft-kept-' . getmypid();
mkdir($dir);
$write = static function (string $name, string $code) use ($dir): string {
    file_put_contents("$dir/$name.php", "<?php $code");
    touch("$dir/$name.php", time() - 100);
    return "$dir/$name.php";
};
$write('Kept', 'class Kept {}');
$write('Plain', 'class Plain {}');
spl_autoload_register(static function (string $class) use ($dir): void {
    require_once "$dir/$class.php";
});
// twice, in turn: OPcache compiles the file, and repeats what it has recorded
$hears = static function (string $file, string $class): string {
    $heard = [];
    set_error_handler(static function (int $type) use (&$heard, $class): bool {
        $heard[] = [$type, class_exists($class)];
        return true;
    });
    ob_start();
    include $file;
    return json_encode([$heard, ob_get_clean() !== '']);
};
$code = 'if (!function_exists("kept")) { function kept($a = 1, $b) {} }';
$plain = [$hears($write('plain', $code), 'Plain'), $hears("$dir/plain.php", 'Plain')];
restore_error_handler();
Weft\Isolation\snapshot();
$code = 'function kept_at_once($a = 1, $b) {} ' . $code;
$file = $write('kept', $code);
$ours = [];
for ($i = 0; $i < 3; $i++) {
    $ours[] = run(static fn (): string => $hears($file, 'Kept'));
}
echo json_encode([
    str_replace('[8192,true],[8192,true]', '[8192,true]', $ours[0]) === $plain[0],
    str_replace('[8192,true],[8192,true]', '[8192,true]', $ours[1]) === $plain[1],
    $ours[1] === $ours[2],
]), "\n";
var_dump(run(static fn (): bool => class_exists('Kept') && !function_exists('kept_at_once')), opcache_is_script_cached($file));
array_map(unlink(...), glob("$dir/*"));
rmdir($dir);
?>
--EXPECT--
[true,true,true]
bool(true)
bool(true)
