--TEST--
Classic mode: .user.ini files count for the scripts below them, of one request alone
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$show = 'echo ini_get("precision"), " ", ini_get("user_agent") ?: "none", " ", ini_get("upload_max_filesize"), " ", count($_POST);';
$site = new Site([
    'index.php' => Site::meet('a', 3) . $show,
    '.user.ini' => "precision = 5\nuser_agent = root\n\n",
    'shop/.user.ini' => "user_agent = shop\nupload_max_filesize = 7M\nauto_prepend_file = \"before.php\"\nauto_append_file = \"after.php\"\n",
    'shop/before.php' => 'echo "[before ", isset($own) ? "leaks" : "clean", "] "; $own = 1;',
    'shop/after.php' => 'echo " [after ", $own, "]";',
    'shop/index.php' => Site::meet('a', 3) . $show,
    'shop/deep/index.php' => Site::meet('a', 3) . 'ini_set("user_agent", "mine"); ' . $show,
    'shop/deep/before.php' => 'echo "[deep] ";',
    'shop/deep/after.php' => '',
], ['user_ini.cache_ttl=0', 'include_path=.']);
foreach ([1, 2] as $time) {
    array_map(unlink(...), [...glob("$site->root/at-*")]);
    echo implode("\n", $site->together(['/?who=1', '/shop/?who=2', '/shop/deep/?who=3'])), "\n";
}
$site->write('.user.ini', 'precision = 6');
usleep(10000);
echo $site->get('/?who=1'), "\n", $site->get('/.user.ini'), "\n", $site->get('/shop/.user.ini'), "\n";
echo $site->stop();
--EXPECT--
200 5 root 2M 0
200 [before clean] 5 shop 7M 0 [after 1]
200 [deep] 5 mine 7M 0
200 5 root 2M 0
200 [before clean] 5 shop 7M 0 [after 1]
200 [deep] 5 mine 7M 0
200 6 none 2M 0
404 Not Found

404 Not Found

exit status 0
