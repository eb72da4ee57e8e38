--TEST--
Warm: an object of a class that each request loads for itself is not adopted, though OPcache has one of it for all
--EXTENSIONS--
opcache
--INI--
opcache.enable=1
opcache.enable_cli=1
opcache.file_update_protection=0
--FILE--
<?php
require __DIR__ . '/warm.inc';

final class Place
{
    public static ?object $guest = null;
}

$file = __DIR__ . '/classes_of_requests.inc';
file_put_contents($file, '<?php final class Guest { public string $name = "guest"; }');
touch($file, time() - 60);
$page = static function () use ($file): void {
    include $file;
    Place::$guest = new Guest();
};
Weft\Isolation\snapshot();
Weft\Isolation\run($page);
show(warm($page));
var_dump(class_exists('Guest', false), Place::$guest);
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/classes_of_requests.inc');
?>
--EXPECT--
restored Place::$guest: holds an object that differs
bool(false)
NULL
