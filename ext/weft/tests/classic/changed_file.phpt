--TEST--
Classic mode: a script that changes is executed as it is now, in OPcache's time
--EXTENSIONS--
weft
--SKIPIF--
<?php if (!extension_loaded('Zend OPcache')) die('skip needs OPcache'); ?>
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site(
    ['index.php' => 'include "class.php"; echo Version::NUMBER, opcache_is_script_cached(__FILE__) ? " cached" : "";', 'class.php' => 'class Version { const NUMBER = 1; }'],
    ['opcache.enable_cli=1', 'opcache.revalidate_freq=0', 'opcache.file_update_protection=0'],
);
echo $site->get('/'), "\n", $site->get('/'), "\n";
$site->write('class.php', 'class Version { const NUMBER = 2; public $more; }');
touch("$site->root/class.php", time() + 5);
echo $site->get('/'), "\n";
$site->write('reset.php', 'opcache_reset(); echo "reset";');
echo $site->get('/reset.php'), "\n", $site->get('/'), "\n";
unlink("$site->root/index.php");
echo $site->get('/'), "\n", $site->stop();
--EXPECT--
200 1 cached
200 1 cached
200 2 cached
200 reset
200 2 cached
404 Not Found

exit status 0
