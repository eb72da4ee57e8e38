--TEST--
An object that gets the number and the memory of another domain's that is gone is its own domain's to collect
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Node
{
    public static int $gone = 0;
    public ?self $self = null;

    public function __destruct()
    {
        self::$gone++;
    }
}

Weft\Isolation\snapshot();
in_domains(static function (string $me): array {
    $nodes = [];
    for ($i = 0; $i < 20; $i++) {
        $nodes[$i] = new Node();
        $nodes[$i]->self = $me === 'b' ? $nodes[$i] : null;
    }
    unset($nodes);
    gc_collect_cycles();
    $gone = Node::$gone;
    turn();
    turn();

    return [$gone, Node::$gone];
});
?>
--EXPECT--
a: [20,20]
b: [20,20]
