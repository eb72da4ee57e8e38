--TEST--
Classic mode: scripts load no extension, as under PHP-FPM
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$code = 'echo function_exists("dl") ? "there" : "not there"; try { dl("ctype"); } catch (Error $e) { echo ", ", $e->getMessage(); }';
$site = new Site(['index.php' => $code]);
echo $site->get('/'), "\n", $site->stop();
--EXPECT--
200 not there, Call to undefined function dl()
exit status 0
