--TEST--
A VM interrupt that comes while domains change places is served afterwards
--EXTENSIONS--
weft
--INI--
weft.stress=1
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

$directories = [];
foreach (['a', 'b', 'c'] as $name) {
    $directories[$name] = sys_get_temp_dir() . "/weft-interrupts-$name-" . getmypid();
    mkdir($directories[$name]);
}
Weft\Isolation\snapshot();
// going back to a directory calls a function of PHP, after which the engine serves interrupts
in_domains(static function (string $name) use ($directories): array {
    chdir($directories[$name]);
    $seen = [];
    for ($i = 0; $i < 300; $i++) {
        $seen[basename((string) getcwd()) === basename($directories[$name]) ? $name : 'another one'] = true;
        if ($i % 7 === 0) {
            turn();
        }
    }
    return array_keys($seen);
}, 'a', 'b', 'c');
array_map(rmdir(...), $directories);
?>
--EXPECT--
a: ["a"]
b: ["b"]
c: ["c"]
