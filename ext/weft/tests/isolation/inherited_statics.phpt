--TEST--
Statics of traits, parents, children, enums and anonymous classes; static variables in inherited methods
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

trait Counts
{
    public static int $count = 0;
    public static array $seen = [];

    public static function count(string $who): int
    {
        static $calls = 0;
        self::$seen[] = $who;
        return ++self::$count * 100 + ++$calls;
    }
}

class One
{
    use Counts;
}

class Two
{
    use Counts;
}

class Base
{
    public static string $shared = 'base';
    protected static string $redeclared = 'base';

    public function remember(string $value): array
    {
        static $values = [];
        $values[] = $value;
        return $values;
    }

    public static function redeclared(?string $value = null): string
    {
        return static::$redeclared = $value ?? static::$redeclared;
    }
}

class Child extends Base
{
    protected static string $redeclared = 'child';
}

class Grandchild extends Child
{
}

enum Suit: string
{
    case Hearts = 'h';
    case Spades = 's';
    const Wild = self::Spades;

    public function notes(string $value): array
    {
        static $notes = [];
        $notes[$this->value][] = $value;
        return $notes;
    }
}

$anonymous = new class {
    public static array $values = [];

    public function add(string $value): array
    {
        static $own = 0;
        self::$values[] = $value . ++$own;
        return self::$values;
    }
};
(new Base())->remember('boot');
$closure = static function (string $value): array {
    static $values = [];
    $values[] = $value;
    return $values;
};
$callable = strtolower(...);
$first_class = $anonymous->add(...);
$of_function = remembers(...);
function remembers(string $value): array
{
    static $values = ['declared'];
    $values[] = $value;
    return $values;
}
$closure('boot');
$work = function (string $me) use ($anonymous, $closure, $first_class, $of_function) {
    $seen = [];
    for ($i = 1; $i < 3; $i++) {
        $seen = [
            One::count($me), Two::count($me), One::count($me), count(One::$seen), count(Two::$seen),
            Child::$shared .= $me, Grandchild::$shared, Base::$shared,
            Base::redeclared("$me$i"), Child::redeclared("child $me$i"), Grandchild::redeclared(),
        ];
        turn();
        $seen[] = (new Base())->remember($me);
        $seen[] = (new Grandchild())->remember($me);
        $seen[] = Suit::Wild->notes($me);
        $seen[] = Suit::Hearts->notes($me);
        turn();
        $seen[] = $anonymous->add($me);
        $seen[] = $first_class($me);
        $seen[] = $closure($me);
        $seen[] = (clone $closure)("clone of $me");
        $seen[] = Closure::bind($closure, null, Base::class)("bound in $me");
        $seen[] = $of_function($me);
        $seen[] = remembers($me);
        turn();
        $reflected = new ReflectionProperty(Base::class, 'redeclared');
        $reflected->setValue(null, "reflected $me");
        (new ReflectionClass(Child::class))->setStaticPropertyValue('redeclared', "reflected child $me");
        turn();
        $seen[] = [Base::redeclared(), Child::redeclared(), (new ReflectionFunction($closure))->getStaticVariables()];
    }
    return $seen;
};
Weft\Isolation\snapshot();
in_domains($work);
echo json_encode([One::$count, Base::$shared, Base::redeclared(), Child::redeclared(), $closure('main'), $anonymous->add('main'), remembers('main')]), "\n";
?>
--EXPECT--
a: [303,202,404,4,2,"baseaa","baseaa","baseaa","a2","child a2","child a2",["boot","a","a","a"],["boot","a","a","a","a"],{"s":["a","a"],"h":["a"]},{"s":["a","a"],"h":["a","a"]},["a1","a2","a3"],["a1","a2","a3","a4"],["boot","a","a"],["boot","a","a","clone of a"],["boot","a","a","bound in a"],["declared","a","a","a"],["declared","a","a","a","a"],["reflected a","reflected child a",{"values":["boot","a","a"]}]]
b: [303,202,404,4,2,"basebb","basebb","basebb","b2","child b2","child b2",["boot","b","b","b"],["boot","b","b","b","b"],{"s":["b","b"],"h":["b"]},{"s":["b","b"],"h":["b","b"]},["b1","b2","b3"],["b1","b2","b3","b4"],["boot","b","b"],["boot","b","b","clone of b"],["boot","b","b","bound in b"],["declared","b","b","b"],["declared","b","b","b","b"],["reflected b","reflected child b",{"values":["boot","b","b"]}]]
[0,"base","base","child",["boot","main"],["main1"],["declared","main"]]
