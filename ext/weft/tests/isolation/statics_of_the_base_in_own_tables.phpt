--TEST--
What a function of the base keeps for a domain with tables of its own goes at the domain's end
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
opcache.file_update_protection=0
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
use function Weft\Isolation\run;

function registry(): int
{
    static $objects = [];
    $objects[] = new Own();
    return count($objects);
}
Weft\Isolation\snapshot();
for ($i = 0; $i < 2; $i++) {
    run(static function (): void {
        eval('class Own { function __destruct() { echo "  goes\n"; } }');
        echo registry(), registry(), "\n";
    });
    echo "the domain is gone\n";
}
?>
--EXPECT--
12
  goes
  goes
the domain is gone
12
  goes
  goes
the domain is gone
