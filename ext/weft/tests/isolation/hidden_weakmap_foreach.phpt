--TEST--
A foreach over a WeakMap of the base keeps its place while other domains change the map
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Key
{
    public function __construct(public readonly string $name)
    {
    }
}

$map = new WeakMap();
$keys = [];
foreach (['one', 'two', 'three', 'four'] as $name) {
    $map[$keys[$name] = new Key($name)] = 'base';
}
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($map, $keys): array {
    $own = [];
    $walk = function (callable $at) use ($map): array {
        $seen = [];
        foreach ($map as $key => $value) {
            $seen[] = "$key->name: $value";
            $at($key->name);
            turn();
        }
        return $seen;
    };
    $seen = $walk(function (string $name) use ($map, $keys, $me, &$own): void {
        if ($me === 'reads') {
            return;
        }
        if ($me === 'changes' && $name === 'one') {
            $map[$keys['one']] = $map[$keys['two']] = $me;
            unset($map[$keys['three']]);
        }
        if ($me === 'adds' && count($own) < 3) {
            $map[$own[] = new Key("own$name")] = $me;
        }
        if ($me === 'drops' && $name === 'two') {
            unset($map[$keys['two']]); // PHP's foreach then skips the next one, with or without Weft
        }
    });
    return [$seen, $walk(function (): void {
    })];
}, 'reads', 'changes', 'adds', 'drops');
?>
--EXPECT--
reads: [["one: base","two: base","three: base","four: base"],["one: base","two: base","three: base","four: base"]]
changes: [["one: base","two: changes","four: base"],["one: changes","two: changes","four: base"]]
adds: [["one: base","two: base","three: base","four: base","ownone: adds","owntwo: adds","ownthree: adds"],["one: base","two: base","three: base","four: base","ownone: adds","owntwo: adds","ownthree: adds"]]
drops: [["one: base","two: base","four: base"],["one: base","three: base","four: base"]]
