--TEST--
Classic mode: sections of php.ini for a host or a directory set what neither a script nor .user.ini can change
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$code = '$set = ini_set("user_agent", "mine"); ' . Site::meet('a', 3)
    . 'echo ini_get("user_agent") ?: "none", " ", $set === false ? "refused" : "set", " ", ini_set("user_agent", "mine") === false ? "refused" : "set", " ", ini_get("precision"),
        " ", @file_get_contents(php_ini_loaded_file()) ? "open" : "closed";';
$ini = sys_get_temp_dir() . '/weft-sections-' . bin2hex(random_bytes(6)) . '.ini';
putenv('TEST_PHP_EXTRA_ARGS=' . getenv('TEST_PHP_EXTRA_ARGS') . " -c $ini");
$files = ['index.php' => $code, 'shop/index.php' => $code, '.user.ini' => 'user_agent = user'];
// the document root has to be known before php.ini is read
$root = sys_get_temp_dir() . '/weft-sections-root-' . bin2hex(random_bytes(6));
mkdir($root);
file_put_contents($ini, "[PATH=$root/shop]\nuser_agent = admin\nopen_basedir = $root\n[HOST=other.test]\nprecision = 3\n");
$site = new Site($files, [], $root);
echo implode("\n", $site->together(['/?who=1', '/shop/?who=2', '/?who=3'])), "\n";
array_map(unlink(...), [...glob("$site->root/at-*")]);
foreach (['a-1', 'a-2', 'a-3'] as $gate) {
    $site->write("at-$gate", '');
}
foreach (['OTHER.test:8000', 'test'] as $host) {
    echo $site->get("http://$host/shop/?who=2"), "\n";
}
echo $site->stop();
unlink($ini);
--EXPECT--
200 mine set set 14 open
200 admin refused refused 14 closed
200 mine set set 14 open
200 admin refused refused 3 closed
200 admin refused refused 14 closed
exit status 0
