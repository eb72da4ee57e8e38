--TEST--
Classic mode: the script is opened before anything runs: one that can't be is not found, as under PHP-FPM, and costs no worker
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$root = sys_get_temp_dir() . '/weft-gone-' . bin2hex(random_bytes(6));
$site = new Site([
    'prepend.inc' => '<?php if (isset($_GET["delete"])) { unlink($_SERVER["SCRIPT_FILENAME"]); } echo "prepended ";',
    'open/index.php' => 'echo "index ", count(get_included_files());' . "\n" . 'echo __LINE__;',
    'open/deleted.php' => 'echo "executed";',
    'closed/index.php' => 'echo "never";',
], ["auto_prepend_file=$root/prepend.inc", "open_basedir=$root/open:$root/prepend.inc"], $root);
foreach (['open/', 'closed/', 'open/deleted.php?delete', 'open/deleted.php', 'open/'] as $path) {
    echo $site->get("/$path"), "\n";
}
echo strtok($site->stop(), "\n"), "\n"; // open_basedir has more to say
?>
--EXPECT--
200 prepended index 23
404 File not found.

200 prepended executed
404 Not Found

200 prepended index 23
exit status 0
