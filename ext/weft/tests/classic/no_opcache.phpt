--TEST--
Classic mode: without OPcache, too, nothing of a script's declarations stays
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site([
    'index.php' => 'interface Speaks { function say(); }
        class Dog implements Speaks { function say() { return (new class implements Speaks { function say() { return "woof"; } })->say(); } }
        if (true) { function later() { return (new Dog)->say(); } } echo later(), (fn () => " twice ")(), (new class extends Dog {})->say();',
    'used.php' => 'gc_collect_cycles(); echo memory_get_usage();',
], ['opcache.enable_cli=0']);
$used = fn (): int => (int) substr($site->get('/used.php'), 4);
echo $site->get('/'), "\n";
$memory = $used();
for ($i = 0; $i < 50; $i++) {
    $site->get('/');
}
echo $used() - $memory < 1000 ? "nothing is left\n" : "memory is left\n", $site->stop();
?>
--EXPECT--
200 woof twice woof
nothing is left
exit status 0
