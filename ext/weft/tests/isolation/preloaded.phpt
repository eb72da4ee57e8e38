--TEST--
What preloaded functions and classes keep is a domain's own, also what the boot has not touched
--EXTENSIONS--
weft
posix
--INI--
opcache.enable_cli=1
opcache.preload={PWD}/preloaded.inc
opcache.preload_user=root
--SKIPIF--
<?php if (!extension_loaded('Zend OPcache') || posix_geteuid() !== 0) die('skip needs OPcache, and root to run as'); ?>
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

Preloaded::$kept[] = 'boot';
Weft\Isolation\snapshot();
$work = function (string $me): array {
    $said = [preloaded(), PreloadedChild::add($me), Preloaded::$object ??= new ArrayObject([$me])];
    PreloadedChild::$own[] = $me;
    turn();
    return [...$said, preloaded(), Preloaded::add("$me again"), Preloaded::$kept, PreloadedChild::$own, Preloaded::$object];
};
in_domains($work);
echo json_encode([preloaded(), Preloaded::$kept, PreloadedChild::$own, Preloaded::$object]), "\n";
?>
--EXPECT--
a: [1,1,{"0":"a"},2,2,["boot","a","a again"],["a"],{"0":"a"}]
b: [1,1,{"0":"b"},2,2,["boot","b","b again"],["b"],{"0":"b"}]
[1,["boot"],[],null]
