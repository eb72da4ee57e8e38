<?php
require __DIR__ . '/in_domains.inc';

class Base_
{
    const A = 'a';
    public static string $own = 'base';
    public static array $expression = [self::A . 'x', PHP_INT_SIZE];
    public static ?float $float = self::ONE;
    const ONE = 1;
    public static $untouched = self::A . 'untouched';
    private static array $cache = [];

    public static function remember(string $what): array
    {
        self::$cache[] = $what;
        return self::$cache;
    }
}

class Child extends Base_
{
    public static $childs = self::A . 'child';
}

class Other extends Base_
{
    public static string $own = 'other';
}

function read_all(): array
{
    return [Base_::$own, Child::$own, Other::$own, Base_::$expression, Base_::$float, Child::$childs, Base_::$untouched];
}

Weft\Isolation\snapshot();
in_domains(function (string $me) {
    $before = read_all();
    Child::$own = $me;
    Other::$own = "other $me";
    Base_::$expression[] = $me;
    Base_::$float = 2;
    Child::$childs .= $me;
    Base_::remember($me);
    turn();
    Base_::remember($me);
    turn();
    return [$before, read_all(), Base_::remember($me)];
});
echo json_encode([read_all(), Base_::remember('main')]), "\n";
var_dump(Base_::$float);
?>
