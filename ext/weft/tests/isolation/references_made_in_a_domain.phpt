--TEST--
A slot that a domain turns into a reference goes and comes with it, its type constraint included
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Typed
{
    public int $number = 1;
    public static int $static = 1;
    public array $list = [1];
}

$typed = new Typed();
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($typed) {
    $number = &$typed->number;
    $static = &Typed::$static;
    $list = &$typed->list;
    $number = ord($me);
    turn();
    $static = ord($me);
    $list[] = $me;
    $errors = 0;
    foreach (['number', 'static'] as $name) {
        try {
            $$name = 'text';
        } catch (TypeError) {
            $errors++;
        }
    }
    turn();
    return [$typed->number, Typed::$static, $typed->list, $errors];
});
echo json_encode([$typed->number, Typed::$static, $typed->list]), "\n";
?>
--EXPECT--
a: [97,97,[1,"a"],2]
b: [98,98,[1,"b"],2]
[1,1,[1]]
