--TEST--
Classes, functions and their statics that appear during a request start from what is declared
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

spl_autoload_register(function (string $class): void {
    if ($class === 'Late') {
        require __DIR__ . '/late.inc';
    }
});
if (false) {
    class NeverDeclared extends Late {}
}
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    $before = [Late::$value, Late::$expression, Late::count(), late_function()];
    Late::$value[] = $me;
    Late::$expression = $me;
    turn();
    late_function();
    turn();
    return [$before, [Late::$value, Late::$expression, Late::count(), late_function()]];
});
echo json_encode([Late::$value, Late::$expression, Late::count(), late_function()]), "\n";
var_dump(Weft\Isolation\stats()['lateClasses'] > 0);
?>
--EXPECT--
a: [[["declared"],"kx",1,1],[["declared","a"],"a",2,3]]
b: [[["declared"],"kx",1,1],[["declared","b"],"b",2,3]]
[["declared"],"kx",1,1]
bool(true)
