--TEST--
Functions are guarded that belong to an extension which is loaded after Weft
--SKIPIF--
<?php
if (!file_exists(ini_get('extension_dir') . '/intl.so')) die('skip no intl.so to load');
if (!extension_loaded('weft')) die('skip weft is not loaded');
?>
--FILE--
<?php
// the extension's own file, since the order on the command line is the order of loading
$weft = null;
foreach (file('/proc/self/maps') as $line) {
    if (str_ends_with(rtrim($line), '/weft.so')) {
        $weft = strstr(rtrim($line), '/');
    }
}
$php = escapeshellarg(PHP_BINARY) . ' -n -d extension_dir=' . escapeshellarg(ini_get('extension_dir'));
$test = file_get_contents(__DIR__ . '/collator.phpt');
$code = __DIR__ . '/loaded-first.inc';
file_put_contents($code, substr($test, $from = strpos($test, "<?php"), strpos($test, '--EXPECT--') - $from));
passthru("$php -d extension=" . escapeshellarg($weft) . ' -d extension=intl ' . escapeshellarg($code) . ' 2>&1');
echo "\n";
// a method that a loaded extension should have: one line tells, once
passthru("$php -d disable_classes=Collator -d disable_functions=collator_sort -d extension=" . escapeshellarg($weft) .
    " -d extension=intl -r 'echo 1;' 2>&1");
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/loaded-first.inc');
?>
--EXPECTF--
sort: right
asort: right

%wWarning: Weft did not find collator::asort(), collator::sort(): what PHP keeps while they run, or they make of a connection, may be seen by other requests. %s in Unknown on line 0
1
