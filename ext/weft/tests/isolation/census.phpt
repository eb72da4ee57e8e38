--TEST--
A census tells what the changed slots hold, by the property that holds it: what grows shows in two of them
--EXTENSIONS--
weft
--FILE--
<?php
final class Node
{
    public ?Node $next = null;
}
final class Bag
{
    public array $items = [];
    public static array $log = [];
    public ?Node $head = null;
    public ?Bag $inner = null;
}
$bag = new Bag();
$bag->items = ['base' => str_repeat('x', 100_000)];
Weft\Isolation\snapshot();

Weft\Isolation\run(function () use ($bag): void {
    $counts = [];
    $bag->inner = new Bag();
    for ($i = 0; $i < 30; $i++) {
        $bag->items["key$i"] = 1;
        $bag->inner->items[] = [$i];
        Bag::$log[] = str_repeat('y', 1024);
        $node = new Node();
        $node->next = $bag->head;
        $bag->head = $node;
        if ($i % 10 === 9) {
            $counts[] = Weft\Internal\census();
        }
    }
    unset($node);
    foreach ($counts[2] as $what => [$bytes, $values]) {
        [$before, $valuesBefore] = $counts[1][$what];
        echo $what, ': ', $values - $valuesBefore, ' more values', $bytes - $before > 10_000 ? ', 10 KB' : '', "\n";
    }
    var_dump($counts[0]['Bag::$items'][0] < 50_000);    // the base's text is not counted
});
var_dump(Weft\Internal\census());
?>
--EXPECT--
Bag::$items: 30 more values
Bag::$head: 0 more values
Node::$next: 10 more values
Bag::$inner: 0 more values
Bag::$log: 10 more values, 10 KB
bool(true)
array(0) {
}
