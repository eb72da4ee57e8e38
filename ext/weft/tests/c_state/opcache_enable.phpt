--TEST--
OPcache that a domain has switched off is on in others, and what they declare loads as ever
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
require __DIR__ . '/../isolation/in_domains.inc';

$kept = static fn (): bool => opcache_get_status(false)['opcache_enabled'];
Weft\Isolation\snapshot();
for ($round = 0; $round < 2; $round++) {
    in_domains(static function (string $me) use ($kept): array {
        $seen = [$kept(), ini_get('opcache.enable')];
        if ($me === 'a') {
            $seen[] = ini_set('opcache.enable', '0');
        }
        turn();
        require __DIR__ . '/declares_a_function.inc';
        turn();
        $seen[] = $kept();
        $seen[] = ini_get('opcache.enable');
        turn();
        return [...$seen, declared_at_once(), $kept()];
    }, 'a', 'b', 'c');
}
var_dump($kept(), ini_get('opcache.enable'), function_exists('declared_at_once'));
?>
--EXPECT--
a: [true,"1","1",false,"0","at once",false]
b: [true,"1",true,"1","at once",true]
c: [true,"1",true,"1","at once",true]
a: [true,"1","1",false,"0","at once",false]
b: [true,"1",true,"1","at once",true]
c: [true,"1",true,"1","at once",true]
bool(true)
string(1) "1"
bool(false)
