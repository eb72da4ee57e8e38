--TEST--
A file that declares at once, under a condition or only when it is called can be included anew in each domain
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

Weft\Isolation\snapshot();
$work = function (string $me): array {
    require __DIR__ . '/declares_a_function.inc';
    $declare = require __DIR__ . '/declares_when_called.inc';
    $with_class = $me !== 'a';
    require __DIR__ . '/declares_a_class.inc';
    return [declared_at_once(), $declare(), $with_class ? (new DeclaredWhenAsked())::class : ''];
};
for ($round = 0; $round < 2; $round++) {
    in_domains($work, 'a', 'b', 'c');
}
?>
--EXPECT--
a: ["at once","when called",""]
b: ["at once","when called","DeclaredWhenAsked"]
c: ["at once","when called","DeclaredWhenAsked"]
a: ["at once","when called",""]
b: ["at once","when called","DeclaredWhenAsked"]
c: ["at once","when called","DeclaredWhenAsked"]
