--TEST--
The changes of a domain are named: slot, place of declaration, types, bytes of new values
--EXTENSIONS--
weft
--FILE--
<?php
class Holder
{
    public $any = 1;
    public array $list = [];
    public static $static = ['x' => 1];
}
final class Child extends Holder
{
}
#[AllowDynamicProperties]
class Open
{
}
function counts()
{
    static $calls = 0;
    return ++$calls;
}

$holder = new Child();
$other = new Holder();
$holder->any = &$other->any;
$open = new Open();
$open->one = 1;
$open->gone = 2;
counts();
Weft\Isolation\snapshot();

echo json_encode(Weft\Internal\changes()), "\n";
$show = function (): void {
    $changes = Weft\Internal\changes();
    // they come in the order of the scan, which follows the order of memory
    usort($changes, fn (array $a, array $b): int => [$a['kind'], $a['slot']] <=> [$b['kind'], $b['slot']]);
    foreach ($changes as $change) {
        printf("%s: %s, %s:%s, %s -> %s, %s%s\n", $change['kind'], $change['slot'], basename((string) $change['file']),
            $change['line'], $change['was'], $change['is'], $change['bytes'] >= 1000 ? 'big' : 'small',
            isset($change['holders']) ? ' (' . implode(', ', $change['holders']) . ')' : '');
    }
    echo "--\n";
};
Weft\Isolation\run(function () use ($holder, $open, $show): void {
    $holder->list[] = str_repeat('a', 1000);
    Holder::$static['y'] = new Holder();
    Holder::$static['y']->list = [new ArrayObject([str_repeat('b', 1000)])];
    $open->one = 'two';
    unset($open->gone);
    $open->new = [1, 2, 3];
    counts();
    $holder->any = 7;
    $GLOBALS['global'] = new Holder();
    $show();
});
Weft\Isolation\run($show);
Weft\Isolation\run(function () use ($holder, $show): void {
    $holder->list = [];
    $holder->list[] = 'x';
    unset($holder->list[0]);
    $holder->any = 1;
    Holder::$static = ['x' => 1, 'y' => 2];
    $show();
});
var_dump($holder->list, $holder->any, Holder::$static, $open, counts());
?>
--EXPECT--
[]
dynamic property: Open::$gone, changes.php:12, int -> nothing, small
dynamic property: Open::$new, changes.php:12, nothing -> array(3), small
dynamic property: Open::$one, changes.php:12, int -> string(3), small
global: global $global, :, nothing -> Holder, small
property: Holder::$list, changes.php:2, array(0) -> array(1), big
reference: a shared reference, :, int -> int, small (Holder::$any, Holder::$any)
static property: Holder::$static, changes.php:2, array(1) -> array(2), big
static variable: counts() $calls, changes.php:15, int -> int, small
--
--
property: Holder::$list, changes.php:2, array(0) -> array(0), small
static property: Holder::$static, changes.php:2, array(1) -> array(2), small
--
array(0) {
}
int(1)
array(1) {
  ["x"]=>
  int(1)
}
object(Open)#3 (2) {
  ["one"]=>
  int(1)
  ["gone"]=>
  int(2)
}
int(2)
