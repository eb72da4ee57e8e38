--TEST--
Properties that are uninitialised, readonly, unset, turned into references or dynamic tables that come and go
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Typed
{
    public readonly string $once;
    public int $typed;
    public ?int $unset = 1;
    public array $list = [1, 2];
    private string $lazy = 'declared';

    public function forget(): void
    {
        unset($this->lazy);
    }

    public function __get(string $name): string
    {
        return "magic $name";
    }

    public function lazy(): string
    {
        return $this->lazy;
    }

    public function once(string $value): string
    {
        try {
            $this->once = $value;
        } catch (Error $e) {
            return $e->getMessage();
        }
        return $this->once;
    }
}

#[AllowDynamicProperties]
class Open
{
    public string $declared = 'base';
}

$typed = new Typed();
$none = new Open();
$some = new Open();
$some->x = 'base';
$some->y = ['base'];
$looked = new Open();
(array) $looked;
$mixed = new Open();
$mixed->z = 'base';
foreach ($mixed as $_) {
}
$plain = (object) ['a' => 'base', 'b' => (object) ['c' => 'base']];
unset($_);
$read = fn (): string => json_encode([$typed, isset($typed->once), isset($typed->typed), $typed->lazy(), $none, $some, $looked, $mixed, $plain]);
Weft\Isolation\snapshot();
$first = $read();
in_domains(function (string $me) use ($typed, $none, $some, $looked, $mixed, $plain, $read, $first) {
    $same = $read() === $first;
    $once = [$typed->once($me), $typed->once('again')];
    turn();
    $typed->typed = ord($me);
    unset($typed->unset);
    foreach ($typed->list as $key => &$item) {
        $item = "$me$key";
        turn();
    }
    unset($item);
    $typed->forget();
    $none->$me = $me;
    turn();
    $some->y[] = $me;
    unset($some->x);
    $looked->declared = $me;
    $looked->new = $me;
    turn();
    $seen = [];
    foreach ($mixed as $name => $value) {
        $mixed->{"own$me"} = $me;
        $seen[] = $name;
        turn();
    }
    unset($mixed->z);
    $reference = &$plain->a;
    $reference = $me;
    $plain->b->c = $me;
    $plain->{'new'} = (array) $plain->b;
    turn();
    $reference .= $me;
    turn();
    return [$same, $once, implode(',', $seen), json_decode($read())];
});
var_dump($read() === $first);
?>
--EXPECT--
a: [true,["a","Cannot modify readonly property Typed::$once"],"declared,z,owna",[{"once":"a","typed":97,"list":["a0","a1"]},true,true,"magic lazy",{"declared":"base","a":"a"},{"declared":"base","y":["base","a"]},{"declared":"a","new":"a"},{"declared":"base","owna":"a"},{"a":"aa","b":{"c":"a"},"new":{"c":"a"}}]]
b: [true,["b","Cannot modify readonly property Typed::$once"],"declared,z,ownb",[{"once":"b","typed":98,"list":["b0","b1"]},true,true,"magic lazy",{"declared":"base","b":"b"},{"declared":"base","y":["base","b"]},{"declared":"b","new":"b"},{"declared":"base","ownb":"b"},{"a":"bb","b":{"c":"b"},"new":{"c":"b"}}]]
bool(true)
