--TEST--
The directory that readdir() reads without being told is the domain's own, and none before it opens one
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';
error_reporting(E_ALL & ~E_DEPRECATED); // PHP 8.5 wants to be told

$directories = [];
foreach (['boot', 'a', 'b'] as $name) {
    $directories[$name] = sys_get_temp_dir() . "/weft-directory-$name-" . getmypid();
    mkdir($directories[$name]);
    touch("$directories[$name]/$name-1");
    touch("$directories[$name]/$name-2");
}
function next_name(): string|false
{
    do {
        $name = readdir();
    } while ($name === '.' || $name === '..');
    return $name;
}
function attempt(): string
{
    try {
        return (string) readdir();
    } catch (TypeError $e) {
        return $e->getMessage();
    }
}

$kept = opendir($directories['boot']);
$names = [next_name()];
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($directories) {
    $before = attempt();
    opendir($directories[$me]);
    $names = [next_name()];
    turn();
    $names[] = next_name();
    turn();
    sort($names);
    return [$before, $names, next_name()];
});
$names[] = next_name();
sort($names);
echo implode(' ', $names), ' ', var_export(next_name(), true), "\n";
closedir($kept);
echo attempt(), "\n";
foreach ($directories as $name => $directory) {
    array_map(unlink(...), glob("$directory/*"));
    rmdir($directory);
}
?>
--EXPECT--
a: ["No resource supplied",["a-1","a-2"],false]
b: ["No resource supplied",["b-1","b-2"],false]
boot-1 boot-2 false
No resource supplied
