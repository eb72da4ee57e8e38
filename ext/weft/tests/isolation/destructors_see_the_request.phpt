--TEST--
At a request's end destructors see what the request has put into statics and singletons, as in a process of its own
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Container
{
    public array $instances = [];
    public static ?Container $current = null;
    public static ?object $kept_by_all = null;
    public static string $user = 'base';
}

final class Log
{
    public array $lines = [];
}

class Closes
{
    public ?object $other = null;

    public function __construct(protected string $name)
    {
    }

    public function __destruct()
    {
        turn();
        $log = Container::$current->instances['log'] ?? null;
        $lines = $log ? count($log->lines) : 'no';
        if ($log) {
            $log->lines[] = $this->name;
        }
        echo $this->name, ' of ', Container::$user, ": $lines lines, other: ", $this->other?->name ?? 'none', "\n";
    }
}

final class MakesMore extends Closes
{
    public function __destruct()
    {
        parent::__destruct();
        Container::$current->instances['more'] = new Closes("more of $this->name");
    }
}

Container::$current = new Container();
Weft\Isolation\share(Container::class, 'kept_by_all', 'shows that what outlives the request is left alone');
Weft\Isolation\snapshot();

function work(string $me): Closes
{
    Container::$user = $me;
    $instances = &Container::$current->instances;
    $instances['log'] = new Log();
    $first = new Closes('first');
    $second = new Closes('second');
    // a cycle: without the collector it would die at the end of the process
    $first->other = $second;
    $second->other = $first;
    $instances['deep'] = ['list' => [fn () => $first]];
    $instances['makes'] = new MakesMore('makes');
    // two objects, of which one is made without `new`
    $instances['copy'] = clone $instances['makes'];
    Container::$kept_by_all ??= new Closes("kept by all, from $me");
    turn();
    return new Closes("returned by $me");
}

$a = Async\spawn(fn () => Weft\Isolation\run(fn () => work('a')));
$a = Async\await($a);
echo "the caller has it\n";
unset($a);
echo Container::$kept_by_all::class, " is alive\n";
Container::$kept_by_all = null;
echo "end\n";
?>
--EXPECT--
first of a: 0 lines, other: second
second of a: 1 lines, other: first
makes of a: 2 lines, other: none
makes of a: 3 lines, other: none
more of makes of a: 4 lines, other: none
more of makes of a: 5 lines, other: none
the caller has it
returned by a of base: no lines, other: none
Closes is alive
kept by all, from a of base: no lines, other: none
end
