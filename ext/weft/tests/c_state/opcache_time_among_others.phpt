--TEST--
OPcache's time is found whatever else it keeps
--EXTENSIONS--
weft
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
$file = sys_get_temp_dir() . '/weft-opcache-time-among-others-' . getmypid() . '.php';
file_put_contents($file, '<?php return "as it was";');
touch($file, time() - 100);
$code = '
    $load = static fn (): mixed => Weft\Isolation\run(static fn (): mixed => require $argv[1]);
    Weft\Isolation\snapshot();
    echo $load(), "\n";
    file_put_contents($argv[1], "<?php return \"changed\";");
    touch($argv[1], time() - 50);
    for ($i = 0; $i < 100 && $load() !== "changed"; $i++) {
        usleep(100_000);
    }
    echo $load(), "\n";
';
// a directive that looks like the time of some seconds ago
$options = ['opcache.enable=1', 'opcache.enable_cli=1', 'opcache.revalidate_freq=1',
    'opcache.force_restart_timeout=' . time() - 4];
passthru(getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS') . ' -d ' . implode(' -d ', $options)
    . ' -r ' . escapeshellarg($code) . ' ' . escapeshellarg($file));
unlink($file);
?>
--EXPECT--
as it was
changed
