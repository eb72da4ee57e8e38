--TEST--
SPL's objects keep their contents outside of slots: each domain has its own, and the objects their identity
--EXTENSIONS--
weft
--INI--
error_reporting=E_ALL & ~E_DEPRECATED
--FILE--
<?php
// an ArrayObject of an object is deprecated since 8.5
require __DIR__ . '/in_domains.inc';

final class Cloned extends ArrayObject
{
    public string $name = 'base';

    public function __clone()
    {
        echo "code of the application ran\n";
    }

    public function offsetGet(mixed $key): mixed
    {
        return 'own ' . parent::offsetGet($key);
    }

    public function __destruct()
    {
        echo "destructor\n";
    }
}

/** Hashes by class, so that at most one object of each is in it. */
final class Hashed extends SplObjectStorage
{
    public function getHash(object $object): string
    {
        return $object::class;
    }
}

final class Worst extends SplHeap
{
    protected function compare(mixed $a, mixed $b): int
    {
        return strlen($a) <=> strlen($b);
    }
}

$object = new stdClass();
$base = [
    'array' => new ArrayObject(['base' => 1]),
    'cloned' => new Cloned(['base' => 1]),
    'of' => new ArrayObject($wrapped = (object) ['x' => 'base']),
    'iterator' => new ArrayIterator([1, 2, 3, 4]),
    'storage' => new SplObjectStorage(),
    'hashed' => new Hashed(),
    'multiple' => new MultipleIterator(MultipleIterator::MIT_KEYS_ASSOC),
    'list' => new SplDoublyLinkedList(),
    'queue' => new SplQueue(),
    'stack' => new SplStack(),
    'min' => new SplMinHeap(),
    'worst' => new Worst(),
    'priority' => new SplPriorityQueue(),
    'fixed' => SplFixedArray::fromArray(['base', [1]]),
    'info' => new SplFileInfo('/some/file'),
];
$base['iterator']->next();
$base['storage'][$object] = 'base';
$base['hashed'][$object] = 'base';
$base['multiple']->attachIterator(new ArrayIterator(['base']), 'base');
foreach (['list', 'queue', 'stack'] as $name) {
    $base[$name]->push('one');
    $base[$name]->push('two');
}
$base['list']->rewind();
$base['list']->next();
$base['min']->insert(7);
$base['worst']->insert('four');
$base['priority']->insert('base', 1);
$base['priority']->setExtractFlags(SplPriorityQueue::EXTR_BOTH);

function peek(array $base): array
{
    $list = fn (iterable $items): string => implode(' ', [...$items]);
    return [
        $base['array']->getArrayCopy(),
        $base['cloned']->getArrayCopy(),
        $base['cloned']['base'],
        $base['cloned']->name,
        $base['of']['x'],
        $base['iterator']->current() . '/' . count($base['iterator']),
        array_map(fn ($o) => $o::class . ' ' . json_encode($base['storage'][$o]), iterator_to_array($base['storage'], false)),
        array_map(fn ($o) => $o::class . ' ' . $base['hashed'][$o], iterator_to_array($base['hashed'], false)),
        $base['multiple']->getFlags() . '/' . $base['multiple']->countIterators(),
        $base['list']->current(),
        $list($base['list']),
        $list($base['queue']),
        $list($base['stack']),
        $list(clone $base['min']),
        $list(clone $base['worst']),
        json_encode((clone $base['priority'])->extract()) . '/' . count($base['priority']),
        json_encode($base['fixed']),
        $base['info']->getFileInfo()::class,
    ];
}

class Info extends SplFileInfo
{
}

Weft\Isolation\snapshot();
$first = peek($base);
in_domains(function (string $me) use ($base, $object, $wrapped, $first) {
    $same = peek($base) === $first;
    turn();
    $base['array'][$me] = $base;
    $base['array']['nested']['deep'] = $me;
    unset($base['array'][$me], $base['array']['base']);
    $base['cloned'][$me] = $me;
    $base['cloned']['base'] = $me;
    $base['cloned']->name = $me;
    turn();
    $base['of']['x'] = $me;
    $base['iterator'][] = $me;
    $base['iterator']->next();
    $base['iterator']->next();
    $base['storage'][$object] = $me;
    $base['storage'][new ArrayObject()] = [$me];
    turn();
    $base['hashed'][new stdClass()] = $me;
    $base['multiple']->setFlags(MultipleIterator::MIT_NEED_ANY);
    $base['multiple']->attachIterator(new ArrayIterator([$me]), $me);
    $base['list'][1] = $me;
    $base['queue']->enqueue($me);
    turn();
    $base['stack']->push($me);
    $base['min']->insert(ord($me) - 96);
    $base['worst']->insert("worst of $me");
    $base['priority']->insert($me, 2);
    $base['priority']->setExtractFlags(SplPriorityQueue::EXTR_DATA);
    turn();
    $base['fixed'][0] = $me;
    $base['fixed'][1] = [1, $me];
    $base['fixed']->setSize(3);
    $base['info']->setInfoClass(Info::class);
    turn();
    return [$same, $wrapped->x, peek($base)];
});
var_dump(peek($base) === $first, Weft\Isolation\stats()['uncovered']);
?>
--EXPECT--
a: [true,"a",[{"nested":{"deep":"a"}},{"base":"a","a":"a"},"own a","a","a","4/5",["stdClass \"a\"","ArrayObject [\"a\"]"],["stdClass a"],"0/2","a","one a","one two a","a two one","1 7","worst of a four","\"a\"/2","[\"a\",[1,\"a\"],null]","Info"]]
b: [true,"b",[{"nested":{"deep":"b"}},{"base":"b","b":"b"},"own b","b","b","4/5",["stdClass \"b\"","ArrayObject [\"b\"]"],["stdClass b"],"0/2","b","one b","one two b","b two one","2 7","worst of b four","\"b\"/2","[\"b\",[1,\"b\"],null]","Info"]]
bool(true)
array(0) {
}
destructor
