--TEST--
WeakMap of the base: entries changed, added and removed by a domain are its own; keys stay weak, in order, even while another domain runs
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Key
{
    public ?object $loop = null;

    public function __construct(public string $name)
    {
    }
}

final class Dies
{
    public function __destruct()
    {
        echo "the value of a domain's global dies\n";
    }
}

$keys = [new Key('one'), new Key('two'), new Key('three')];
$map = new WeakMap();
foreach ($keys as $key) {
    $map[$key] = ['base'];
}
$read = function () use ($map): array {
    $seen = [];
    foreach ($map as $key => $value) {
        $seen[] = "$key->name: " . json_encode($value);
    }
    return $seen;
};
Weft\Isolation\snapshot();
$holder = new stdClass();
in_domains(function (string $me) use ($map, $keys, $read) {
    $before = $read();
    $map[$keys[0]][] = $me;
    turn();
    unset($map[$keys[1]]);
    $own = new Key($me);
    $map[$own] = $me;
    turn();
    $GLOBALS['held'] = new Key("global of $me");
    $map[$GLOBALS['held']] = new Dies();
    // a key that only the collector finds, perhaps while the other domain is in place
    $loop = new Key("loop of $me");
    $loop->loop = $loop;
    $map[$loop] = $loop->name;
    unset($loop);
    $during = $read();
    turn();
    if ($me === 'b') {
        gc_collect_cycles();
    }
    turn();
    gc_collect_cycles();
    $after = $read();
    $own = null;
    turn();
    return [count($map), isset($map[$keys[1]]), $before, $during, $after, $read()];
});
echo json_encode($read()), "\n";
?>
--EXPECT--
the value of a domain's global dies
the value of a domain's global dies
a: [3,false,["one: [\"base\"]","two: [\"base\"]","three: [\"base\"]"],["one: [\"base\",\"a\"]","three: [\"base\"]","a: \"a\"","global of a: {}","loop of a: \"loop of a\""],["one: [\"base\",\"a\"]","three: [\"base\"]","a: \"a\"","global of a: {}"],["one: [\"base\",\"a\"]","three: [\"base\"]","global of a: {}"]]
b: [3,false,["one: [\"base\"]","two: [\"base\"]","three: [\"base\"]"],["one: [\"base\",\"b\"]","three: [\"base\"]","b: \"b\"","global of b: {}","loop of b: \"loop of b\""],["one: [\"base\",\"b\"]","three: [\"base\"]","b: \"b\"","global of b: {}"],["one: [\"base\",\"b\"]","three: [\"base\"]","global of b: {}"]]
["one: [\"base\"]","two: [\"base\"]","three: [\"base\"]"]
