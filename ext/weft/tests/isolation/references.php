<?php
require __DIR__ . '/in_domains.inc';

final class Holder
{
    public array $items = ['a' => ['b' => 'base']];
    public int $typed = 1;
    public array $deep = [];
    public $shared = null;
    public static int $static = 1;
}

$holder = new Holder();
(function () use ($holder) {
    $walk = &$holder->items;      // leaves a reference that nobody shares
    $walk = &$walk['a'];
    $typed = &$holder->typed;
    $static = &Holder::$static;
    $holder->deep = ['x' => ['y' => 1]];
    $deep = &$holder->deep['x']['y'];
})();
$captured = 'base';
$set = function ($value) use (&$captured) { $captured = $value; };
$get = function () use (&$captured) { return $captured; };
$other = new Holder();
$holder->shared = &$other->shared;
$inner = 1;
$holder->deep['ref'] = &$inner;
$other->deep['ref'] = &$inner;
Weft\Isolation\snapshot();
var_dump(Weft\Isolation\stats()['sharedReferences']);
// as text: a copy of an array would still hold the references in it
$read = fn (): string => json_encode([$holder->items, $holder->typed, Holder::$static, $holder->deep, $get(), $holder->shared, $other->shared, $other->deep]);
in_domains(function (string $me) use ($holder, $other, $set, $read) {
    $before = $read();
    $holder->items['a']['b'] = $me;
    $holder->items['c'] = $me;
    $holder->typed = ord($me);
    try {
        $r = &$holder->typed;
        $r = 'not a number';
    } catch (TypeError) {
    }
    unset($r);
    Holder::$static = ord($me);
    $holder->deep['x']['y'] = $me;
    $set($me);
    $holder->shared = $me;
    $other->deep['ref'] = $me;
    turn();
    turn();
    return array_map(json_decode(...), [$before, $read()]);
});
echo $read(), "\n";
?>
