--TEST--
References held by several: properties, array elements inside arrays, statics, globals, bound variables, objects in arrays
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Holder
{
    public ?int $typed = 1;
    public array $tree = [];
    public static array $static = [];
}

$one = new Holder();
$two = new Holder();
$value = ['base' => ['base']];
$one->tree['a']['b']['c'] = &$value;
$two->tree = ['x' => [&$value]];
Holder::$static['deep']['est'] = &$value['base'];
$typed = &$one->typed;
$two->tree['typed'] = &$one->typed;
$list = [1, [2, [3]]];
foreach ($list as &$item) {
}
unset($item);
$inner = &$list[1][1][0];
$objects = [new ArrayObject(['r' => &$inner]), (object) ['s' => &$inner]];
$storage = new SplObjectStorage();
$storage[$one] = [&$inner];
$read = fn (): string => json_encode([$one, $two, Holder::$static, $list, $inner, $objects, $storage[$one]]);
Weft\Isolation\snapshot();
$first = $read();
in_domains(function (string $me) use ($one, $two, &$list, &$inner, $objects, $storage, $read, $first) {
    $same = $read() === $first;
    $one->tree['a']['b']['c'][$me] = $me;
    turn();
    $two->tree['x'][0]['base'][] = $me;
    turn();
    Holder::$static['deep']['est'][] = "static $me";
    $one->typed = ord($me);
    turn();
    $inner = $me;
    turn();
    try {
        $two->tree['typed'] = 'no number';
    } catch (TypeError $e) {
    }
    $objects[0]['r'] .= '+';
    turn();
    $new = [&$one->tree, &$inner];
    $new[0]['new'] = $me;
    unset($one->tree['a']['b']['c']);
    $storage[$one] = [...$storage[$one], 'more'];
    turn();
    return [$same, isset($e), json_decode($read())];
});
var_dump($read() === $first);
?>
--EXPECT--
a: [true,true,[{"typed":97,"tree":{"a":{"b":[]},"new":"a"}},{"typed":1,"tree":{"x":[{"base":["base","a","static a"],"a":"a"}],"typed":97}},{"deep":{"est":["base","a","static a"]}},[1,[2,["a"]]],3,[{"r":"a+"},{"s":"a"}],["a","more"]]]
b: [true,true,[{"typed":98,"tree":{"a":{"b":[]},"new":"b"}},{"typed":1,"tree":{"x":[{"base":["base","b","static b"],"b":"b"}],"typed":98}},{"deep":{"est":["base","b","static b"]}},[1,[2,["b"]]],3,[{"r":"b+"},{"s":"b"}],["b","more"]]]
bool(true)
