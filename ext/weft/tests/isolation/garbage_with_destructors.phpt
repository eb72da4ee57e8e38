--TEST--
Destructors of cycles run in the domain that has made them, whoever runs the collector, and at its end at the latest
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Log
{
    public static string $of = 'base';
    /** @var list<string> */
    public static array $entries = [];
}

final class Cycle
{
    private self $self;

    public function __construct(private string $name)
    {
        $this->self = $this;
    }

    public function __destruct()
    {
        Log::$entries[] = "$this->name in " . Log::$of;
        if (str_starts_with($this->name, 'left')) {
            echo "$this->name in ", Log::$of, "\n";
        }
    }
}

// a cycle without a destructor, and an object in it with one
final class Plain
{
    public self $self;

    public function __construct(public Leaf $leaf)
    {
        $this->self = $this;
    }
}

final class Leaf
{
    public function __construct(private string $name)
    {
    }

    public function __destruct()
    {
        Log::$entries[] = "$this->name in " . Log::$of;
        echo "$this->name in ", Log::$of, "\n";
    }
}

Weft\Isolation\snapshot();
$work = static function (string $me): array {
    Log::$of = $me;
    new Cycle("of $me");
    turn();
    if ($me === 'a') {
        gc_collect_cycles();
    }
    turn();
    $before = Log::$entries;
    if ($me === 'b') {
        gc_collect_cycles();
    }
    turn();
    if ($me === 'b') {
        new Cycle('left by b');
    }
    return [$before, Log::$entries];
};
in_domains($work);
gc_collect_cycles();

// many, and the collector runs in the base meanwhile
$waiting = Async\spawn(static fn () => Weft\Isolation\run(static function (): int {
    Log::$of = 'many';
    for ($i = 0; $i < 30_000; $i++) {
        new Cycle('of many');
    }
    turn();
    gc_collect_cycles();
    return count(array_keys(Log::$entries, 'of many in many'));
}));
turn();
gc_collect_cycles();
echo count(Log::$entries), " in the base\n";
echo Async\await($waiting), " in the domain\n";

// the collector frees the cycle, whoever runs it, but not what the cycle held
in_domains(static function (string $me): int {
    Log::$of = $me;
    new Plain(new Leaf("leaf of $me"));
    turn();
    if ($me === 'a') {
        gc_collect_cycles();
        gc_collect_cycles();
    }
    turn();
    $before = count(Log::$entries);
    if ($me === 'b') {
        gc_collect_cycles();
        new Plain(new Leaf('last leaf of b'));
    }
    turn();
    if ($me === 'a') {
        gc_collect_cycles();
    }
    turn();
    return $before;
});

// nobody runs the collector: the end of the domain does
in_domains(static function (string $me): void {
    Log::$of = $me;
    new Plain(new Leaf("garbage of $me"));
    turn();
});
echo "end\n";
?>
--EXPECT--
left by b in b
a: [["of a in a"],["of a in a"]]
b: [[],["of b in b"]]
0 in the base
30000 in the domain
leaf of a in a
leaf of b in b
last leaf of b in b
a: 1
b: 0
garbage of a in a
garbage of b in b
a: null
b: null
end
