--TEST--
What is evaluated late: defaults of static variables and properties, enum cases, constants, resurrected objects, weak references
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

class Logger
{
    public array $lines = [];
}

enum Level: int
{
    case Low = 1;
    case High = 2;
    const Default = self::High;
}

class Late
{
    public const LEVEL = Level::Default;
    public const LIST = [self::LEVEL, 'x' => [1, 2]];
    public static array $levels = [Level::Low, 'list' => self::LIST];
    public static ?Phoenix $risen = null;
    public array $own = [self::LEVEL];

    public function __construct(public Logger $logger = new Logger(), public Level $level = self::LEVEL)
    {
    }
}

final class Phoenix
{
    public function __construct(public string $name)
    {
    }

    public function __destruct()
    {
        if ($this->name !== '') {
            Late::$risen = $this;
            Late::$risen->name = "risen $this->name";
        }
    }
}

function makes(string $me): array
{
    static $logger = null, $level = Level::Low, $list = Late::LIST;
    $logger ??= new Logger();
    $logger->lines[] = $me;
    $list[] = $me;
    $level = $me === 'a' ? Level::High : $level;
    return [$logger->lines, $level, $list];
}

#[Attribute]
final class Marked
{
    public function __construct(public Logger $logger = new Logger())
    {
    }
}

#[Marked(new Logger())]
final class HasAttribute
{
}

$attribute = (new ReflectionClass(HasAttribute::class))->getAttributes()[0];
$base = new Logger();
$weak = WeakReference::create($base);
$late = new Late();
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($attribute, $base, $weak, $late) {
    Late::$levels[] = $me;
    Late::$levels['list']['x'][] = $me;
    turn();
    $marked = $attribute->newInstance();
    $marked->logger->lines[] = $me;
    $late->own[] = $me;
    $late->logger->lines[] = $me;
    turn();
    $seen = [makes($me), makes($me)];
    $base->lines[] = $me;
    turn();
    new Phoenix($me);
    turn();
    $seen[] = Late::$risen->name;
    Late::$risen->name = '';
    $own = new Logger();
    $reference = WeakReference::create($own);
    turn();
    gc_collect_cycles();
    $seen[] = [$weak->get() === $base, $reference->get() === $own, WeakReference::create($base)->get()->lines];
    unset($own);
    turn();
    return [$seen, $reference->get(), Late::$levels, Late::LIST, $late, count($attribute->newInstance()->logger->lines), $marked];
});
echo json_encode([Late::$levels, $late, makes('main'), $base, Late::$risen]), "\n";
?>
--EXPECT--
a: [[[["a"],2,{"0":2,"x":[1,2],"1":"a"}],[["a","a"],2,{"0":2,"x":[1,2],"1":"a","2":"a"}],"risen a",[true,true,["a"]]],null,{"0":1,"list":{"0":2,"x":[1,2,"a"]},"1":"a"},{"0":2,"x":[1,2]},{"own":[2,"a"],"logger":{"lines":["a"]},"level":2},0,{"logger":{"lines":["a"]}}]
b: [[[["b"],1,{"0":2,"x":[1,2],"1":"b"}],[["b","b"],1,{"0":2,"x":[1,2],"1":"b","2":"b"}],"risen b",[true,true,["b"]]],null,{"0":1,"list":{"0":2,"x":[1,2,"b"]},"1":"b"},{"0":2,"x":[1,2]},{"own":[2,"b"],"logger":{"lines":["b"]},"level":2},0,{"logger":{"lines":["b"]}}]
[{"0":1,"list":{"0":2,"x":[1,2]}},{"own":[2],"logger":{"lines":[]},"level":2},[["main"],1,{"0":2,"x":[1,2],"1":"main"}],{"lines":[]},null]
