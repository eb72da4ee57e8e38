--TEST--
Functions are guarded that belong to an extension which is loaded after Weft
--SKIPIF--
<?php
if (!file_exists(ini_get('extension_dir') . '/intl.so')) die('skip no intl.so to load');
if (!extension_loaded('weft')) die('skip weft is not loaded');
?>
--FILE--
<?php
require __DIR__ . '/loaded.inc';
$test = file_get_contents(__DIR__ . '/collator.phpt');
$code = __DIR__ . '/loaded-first.inc';
file_put_contents($code, substr($test, $from = strpos($test, "<?php"), strpos($test, '--EXPECT--') - $from));
passthru(php_with_weft() . ' -d extension=intl ' . escapeshellarg($code) . ' 2>&1');
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/loaded-first.inc');
?>
--EXPECT--
sort: right
asort: right
