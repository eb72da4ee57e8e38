--TEST--
Autoloaders that only their class may call, or that PHP answers by a name of its own, are a domain's own like others
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

class Loader
{
    public function __construct(private string $of)
    {
    }
    public function register(): void
    {
        spl_autoload_register([$this, 'hidden']);
        spl_autoload_register($this->forAll(...));
        spl_autoload_register([static::class, 'inherited']);
        spl_autoload_register([$this, 'magic']);
    }
    public function unregister(): bool
    {
        return spl_autoload_unregister([$this, 'hidden']);
    }
    private function hidden(string $class): void
    {
        echo "$this->of hidden, ";
    }
    private function forAll(string $class): void
    {
        echo 'for all, ';
    }
    protected static function inherited(string $class): void
    {
        echo 'inherited, ';
    }
    public function __call(string $name, array $arguments): void
    {
        echo "$name by $this->of, ";
    }
    public function __destruct()
    {
        echo "$this->of goes\n";
    }
}
function ask(string $who): void
{
    echo "$who: ";
    class_exists('Missing');
    echo count(spl_autoload_functions()), ' ', spl_autoload_extensions(), "\n";
}

$boot = new Loader('boot');
$boot->register();
spl_autoload_extensions('.boot');
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($boot) {
    $mine = new Loader($me);
    $mine->register();
    spl_autoload_extensions(".$me");
    turn();
    ask($me);
    turn();
    $gone = $me === 'a' && $boot->unregister();
    turn();
    ask($me);
    return $gone;
});
ask('base');
$boot->unregister();
in_domains(function (string $me) {
    ask($me);
}, 'c');
ask('base');
?>
--EXPECT--
a: boot hidden, for all, inherited, magic by boot, a hidden, for all, magic by a, 7 .a
b: boot hidden, for all, inherited, magic by boot, b hidden, for all, magic by b, 7 .b
a: for all, inherited, magic by boot, a hidden, for all, magic by a, 6 .a
a goes
b: boot hidden, for all, inherited, magic by boot, b hidden, for all, magic by b, 7 .b
b goes
a: true
b: false
base: boot hidden, for all, inherited, magic by boot, 4 .boot
c: boot hidden, for all, inherited, magic by boot, 4 .boot
c: null
base: for all, inherited, magic by boot, 3 .boot
boot goes
