--TEST--
Classic mode: a memory limit that a request has raised goes with it
--EXTENSIONS--
weft
--SKIPIF--
<?php if (getenv('USE_ZEND_ALLOC') === '0') die('skip it needs a memory limit'); ?>
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site([
    'raise.php' => 'class Held { public static $text; } ini_set("memory_limit", "300M"); Held::$text = str_repeat("x", 100 << 20); echo ini_get("memory_limit");',
    'use.php' => 'echo ini_get("memory_limit"); flush(); $text = str_repeat("x", 100 << 20); echo "used";',
], ['memory_limit=64M']);
echo $site->get('/raise.php'), "\n", $site->get('/use.php'), "\n";
echo preg_replace('/ \(tried.*/', '', $site->stop());
--EXPECT--
200 300M
200 64M (cut short)
exit status 0
PHP Fatal error:  Allowed memory size of 67108864 bytes exhausted
