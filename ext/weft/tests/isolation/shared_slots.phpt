--TEST--
Shared slots: left out of the snapshot, inherited places included; refused when they don't exist or it is too late
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

use function Weft\Isolation\share;
use function Weft\Isolation\shared;

class Cache
{
    public array $before = [];
    private array $files = [];
    public array $after = [];
    public static array $all = [];
    public static array $own = [];

    public function add(string $name): void
    {
        $this->before[] = $this->files[] = $this->after[] = $name;
        static::$all[] = self::$own[] = $name;
    }

    public function read(): string
    {
        return json_encode([$this->before, $this->files, $this->after, self::$all, self::$own]);
    }
}

class Special extends Cache
{
    public array $files = ['special'];
}

trait Counts
{
    private static int $count = 0;
}

function refused(callable $f): void
{
    try {
        $f();
        echo "accepted\n";
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}

spl_autoload_register(function (string $name): void {
    echo "autoload $name\n";
    if ($name === 'Broken') {
        throw new RuntimeException('broken');
    }
});

share(Cache::class, 'files', 'found files stay where they are');
share('\Cache', 'files', 'a second time changes nothing');
share(Special::class, 'all', 'inherited: the parent\'s slot');
refused(fn () => share('Missing', 'x', 'r'));
refused(fn () => share(Cache::class, 'x', 'r'));
refused(fn () => share(Cache::class, 'files', ''));
refused(fn () => share(Counts::class, 'count', 'r'));
try {
    share('Broken', 'x', 'r');
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
foreach (shared() as $one) {
    echo json_encode($one), "\n";
}

$cache = new Cache;
$special = new Special;
Weft\Isolation\snapshot();
refused(fn () => share(Cache::class, 'before', 'r'));
in_domains(function (string $me) use ($cache, $special) {
    $cache->add($me);
    $special->add($me);
    $special->files[] = $me;
    turn();
    return [$cache->read(), $special->read(), $special->files];
});
echo $cache->read(), "\n";
?>
--EXPECT--
autoload Missing
Error: Can't share Missing::$x: there is no such class
Error: Can't share Cache::$x: the class declares no such property
ValueError: Weft\Isolation\share(): Argument #3 ($reason) must not be empty: say why requests may see each other's values
Error: Can't share Counts::$count: it is a trait. Name the class that uses it: each has a slot of its own
autoload Broken
broken
{"class":"Cache","property":"files","static":false,"reason":"found files stay where they are"}
{"class":"Special","property":"all","static":true,"reason":"inherited: the parent's slot"}
Error: Can't share Cache::$before: the snapshot has been taken. Name shared slots while the application boots
a: ["[[\"a\"],[\"a\",\"b\"],[\"a\"],[\"a\",\"a\",\"b\",\"b\"],[\"a\",\"a\"]]","[[\"a\"],[\"a\",\"b\"],[\"a\"],[\"a\",\"a\",\"b\",\"b\"],[\"a\",\"a\"]]",["special","a"]]
b: ["[[\"b\"],[\"a\",\"b\"],[\"b\"],[\"a\",\"a\",\"b\",\"b\"],[\"b\",\"b\"]]","[[\"b\"],[\"a\",\"b\"],[\"b\"],[\"a\",\"a\",\"b\",\"b\"],[\"b\",\"b\"]]",["special","b"]]
[[],["a","b"],[],["a","a","b","b"],[]]
