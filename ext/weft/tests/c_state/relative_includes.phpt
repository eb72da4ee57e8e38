--TEST--
A relative path is included from the domain's own working directory, with OPcache as well
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
include_path=.
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

$directory = sys_get_temp_dir() . '/weft-' . getmypid();
foreach (['a', 'b'] as $name) {
    mkdir("$directory/$name", 0700, true);
    file_put_contents("$directory/$name/which.inc", "<?php return '$name';");
}
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($directory) {
    chdir("$directory/$me");
    turn();
    $first = include 'which.inc';
    turn();
    $second = include './which.inc';
    turn();
    return [$first, $second, basename(getcwd())];
});
foreach (['a', 'b'] as $name) {
    unlink("$directory/$name/which.inc");
    rmdir("$directory/$name");
}
rmdir($directory);
?>
--EXPECT--
a: ["a","a","a"]
b: ["b","b","b"]
