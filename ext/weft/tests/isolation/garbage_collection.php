<?php
require __DIR__ . '/in_domains.inc';

final class Node
{
    public ?Node $next = null;
    public array $data = [];

    public function __construct(public string $name = '')
    {
    }
}

$root = new Node('root');
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($root) {
    $root->next = new Node($me);
    $root->next->next = new Node("$me$me");
    $root->next->next->next = $root->next;
    $root->data = [$root->next, $root];
    turn();
    gc_collect_cycles();
    turn();
    gc_collect_cycles();
    return [$root->next->name, $root->next->next->name, $root->next->next->next->name, count($root->data)];
});
gc_collect_cycles();
var_dump($root->next, $root->data);
?>
