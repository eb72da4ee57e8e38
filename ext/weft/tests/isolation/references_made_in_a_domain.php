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
