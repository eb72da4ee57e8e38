--TEST--
What output_add_rewrite_var() adds to forms belongs to the domain, as does the buffer that does so
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

Weft\Isolation\snapshot();
$rewriters = static fn (): int => count(array_filter(ob_get_status(true), static fn (array $buffer): bool => $buffer['name'] === 'URL-Rewriter'));
in_domains(static function (string $me) use ($rewriters): array {
    ob_start();
    if ($me !== 'c') {
        output_add_rewrite_var('visitor', $me);
    }
    turn();
    $active = $rewriters();
    echo '<form></form>';
    turn();
    if ($active) {
        ob_end_flush();
    }
    return [$active, ob_get_clean()];
}, 'a', 'b', 'c');
// and nothing of it is left for the next one
in_domains(static function (string $me) use ($rewriters): array {
    ob_start();
    $before = $rewriters();
    $added = output_add_rewrite_var('visitor', $me);
    $active = $rewriters();
    ob_end_flush();
    ob_end_clean();

    return [$before, $added, $active];
}, 'd');
?>
--EXPECT--
a: [1,"<form><input type=\"hidden\" name=\"visitor\" value=\"a\" /></form>"]
b: [1,"<form><input type=\"hidden\" name=\"visitor\" value=\"b\" /></form>"]
c: [0,"<form></form>"]
d: [0,true,1]
