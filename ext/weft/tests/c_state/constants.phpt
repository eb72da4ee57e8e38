--TEST--
A constant that a domain makes with define() is its own
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

define('BOOT', 'boot ' . getmypid());
function tenant(): string
{
    // the VM remembers here where it has found the constant
    return TENANT;
}
function ask(string $value): bool
{
    defined('ASKED') || define('ASKED', $value);
    return ASKED === $value;
}
Weft\Isolation\snapshot();
$known = fn (): array => array_map(defined(...), ['TENANT', 'ASKED', 'ITEMS', 'BOOT', 'My\Own']);
for ($round = 0; $round < 3; $round++) {
    in_domains(function (string $me) use ($known) {
        $start = $known();
        $first = define('TENANT', $me);
        define('My\Own', "$me in My");
        turn();
        define('ITEMS', [$me, [$me]]);
        $asked = ask("asked by $me");
        turn();
        return [$start, $first, tenant(), constant('TENANT'), ITEMS, \My\Own, $asked, BOOT === 'boot ' . getmypid(),
            @define('TENANT', 'again'), tenant()];
    });
}
in_domains(function (string $me) {
    if ($me === 'a') {
        define('OTHER', getmypid());
        $seen = ask('a');
    } else {
        define('THIRD', getmypid());
        define('ASKED', 'b itself');
        $seen = !ask('b');
    }
    turn();
    return [$seen, defined('OTHER'), defined('THIRD')];
});
try {
    tenant();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
echo json_encode($known()), ' ', count(get_defined_constants(true)['user']), "\n";
?>
--EXPECT--
a: [[false,false,false,true,false],true,"a","a",["a",["a"]],"a in My",true,true,false,"a"]
b: [[false,false,false,true,false],true,"b","b",["b",["b"]],"b in My",true,true,false,"b"]
a: [[false,false,false,true,false],true,"a","a",["a",["a"]],"a in My",true,true,false,"a"]
b: [[false,false,false,true,false],true,"b","b",["b",["b"]],"b in My",true,true,false,"b"]
a: [[false,false,false,true,false],true,"a","a",["a",["a"]],"a in My",true,true,false,"a"]
b: [[false,false,false,true,false],true,"b","b",["b",["b"]],"b in My",true,true,false,"b"]
a: [true,true,false]
b: [true,false,true]
Undefined constant "TENANT"
[false,false,false,true,false] 1
