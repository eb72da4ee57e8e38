--TEST--
An autoloader that a domain registers or takes away is its own, and the order is kept
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

final class Loader
{
    public static array $asked = [];

    public static function first(string $class): void
    {
        self::$asked[] = 'first';
    }

    public function second(string $class): void
    {
        self::$asked[] = 'second';
    }
}
final class Freed
{
    public function __destruct()
    {
        echo "the domain's autoloader is freed with it\n";
    }
}
spl_autoload_register('Loader::first');
spl_autoload_register([new Loader(), 'second']);
Weft\Isolation\snapshot();
$ask = function (): string {
    Loader::$asked = [];
    class_exists('Missing' . count(spl_autoload_functions()));
    return implode(' ', Loader::$asked);
};
in_domains(function (string $me) use ($ask) {
    $start = $ask();
    $freed = $me === 'b' ? new Freed() : null;
    $loader = function () use ($me, $freed) {
        Loader::$asked[] = "of $me";
    };
    spl_autoload_register($loader, true, $me === 'a');
    turn();
    $both = $ask();
    if ($me === 'a') {
        spl_autoload_unregister('Loader::first');
    }
    turn();
    return [$start, $both, $ask()];
});
echo $ask(), "\n";
?>
--EXPECT--
the domain's autoloader is freed with it
a: ["first second","of a first second","of a second"]
b: ["first second","first second of b","first second of b"]
first second
